/** A bot is one function: it sits at the browser's table, in a tournament (`bot.js`) and behind a server alike. */

/** Calls what it holds most of, stays on three cards of it, opens with its highest card, then plays its lowest. */
export function decide({ phase, seat, legal, view }) {
  const suits = view.hands[seat].map((card) => card.at(-1));
  const count = (suit) => suits.filter((other) => other === suit).length;
  const longest = [..."CDHS"].reduce((best, suit) => (count(suit) > count(best) ? suit : best));
  if (phase === "play" || phase === "discard") {
    const opens = phase === "play" && view.steps.every((step) => step.phase !== "play");
    const rank = (action) => "9TJQKA".indexOf(action.at(-2));
    return legal.toSorted((a, b) => rank(a) - rank(b)).at(opens ? -1 : 0);
  }
  if (legal.includes(`name:${longest}`)) return `name:${longest}`;
  if (legal.includes("order") && count(view.rest[0].at(-1)) >= 3) return "order";
  if (legal.includes("stay")) return count(longest) >= 3 || !legal.includes("drop") ? "stay" : "drop";
  return legal.includes("pass") ? "pass" : legal[0];
}
