/** The felt: who sits where, the cards in the middle, trump, and what lies beside the hands. */

import { cardWords, drawBack, drawCard, isRed, sign } from "./cards.js";
import { element, fill } from "./page.js";
import { changeClass, makingWords, partWords, signed } from "./words.js";

/**
 * Draw a table. `bottom` is the seat at the bottom; `open` shows every hand, else that of `person` is left to its owner
 * and the others lie face down; `who` and `label` name a seat; `trickSeen` hides a trick that is over.
 */
export function drawFelt(felt, { text, table, bottom, open, person, who, label, trickSeen }) {
  const { seats } = table.rules;
  const at = (seat) => `at${(seat - bottom + seats) % seats}`;
  const parts = { text, table, at, open, person, who, label, trickSeen };
  const places = Array.from({ length: seats }, (_, place) => (bottom + place) % seats);
  felt.className = `board of${seats}`;
  fill(felt, places.map((seat) => seatBox(seat, parts)), middle(parts));
}

function seatBox(seat, { text, table, at, open, person, who, label }) {
  const result = table.over ? table.result() : null;
  const turn = seat === table.seat;
  const out = table.dropped.includes(seat) || table.reneged.includes(seat);
  const classes = ["seat", at(seat), turn && "turn", result?.winners.includes(seat) && "won", out && "out"];
  const dealer = element("abbr", { title: text("table.dealer") }, text("table.dealer_sign"));
  const part = partWords(text, table, seat);
  const held = table.hand(seat);
  const change = result?.deltas[seat] ?? 0;
  const cards = open ? held.map((card) => drawCard(card, text)) : held.map(drawBack);
  return element(
    "section", { class: classes.filter(Boolean).join(" "), "aria-label": who(seat) },
    element("p", { class: "who" }, element("strong", {}, who(seat)), seat === table.dealer ? dealer : null,
      part ? element("em", {}, part) : null),
    seat === person ? null : element("p", { class: "name" }, label(seat)),
    element("p", { class: "score" },
      element("span", { class: "total" }, text("table.points", { n: table.scores[seat] })),
      change ? element("b", { class: changeClass(table.rules, change) }, ` ${signed(change)}`) : null,
      element("span", { class: "taken" }, text("table.tricks", { n: table.taken[seat] }))),
    open || seat !== person ? element("p", { class: "cards", "data-count": held.length }, ...cards) : null,
  );
}

function middle({ text, table, at, who, trickSeen }) {
  const trick = lastTrick(table, trickSeen);
  const ahead = trick && (trick.winner ?? null);
  const plays = (trick?.plays ?? []).map((play, place) =>
    element("span", {
      class: [at(play.seat), play.seat === ahead && "ahead", play.reneged && "reneged",
        place === trick.plays.length - 1 && ahead === null && "new"].filter(Boolean).join(" "),
    }, drawCard(play.card, text)));
  return element(
    "div", { class: "middle" },
    element("p", { class: "trump" }, trumpSign(text, table), " ",
      element("small", {}, makingWords(text, table, who))),
    element("div", { class: "trick", role: "group", "aria-label": text("table.trick") }, ...plays),
    beside(text, table),
  );
}

/** The trick that lies on the table: the one in progress, or the last until it has been seen. */
export function lastTrick(table, trickSeen) {
  const trick = table.tricks.findLast(({ plays }) => plays.length > 0);
  return trick && !(trickSeen && trick.winner !== null) ? trick : null;
}

function trumpSign(text, table) {
  if (table.trump === null) return text("table.no_trump_yet");
  if (table.trump === "NT") return element("b", {}, text("suit.NT"));
  const words = element("b", {}, text(`suit.${table.trump}`));
  const drawn = element("span", { class: isRed(table.trump) ? "suit red" : "suit", "aria-hidden": "true" }, sign(table.trump));
  const both = element("span", {}, drawn, " ", words);
  return both;
}

/** The turned card, and what has become of it. */
function beside(text, table) {
  if (!table.upcard) return element("p", { class: "beside" });
  const taken = table.rules.pick_up && table.steps.some(({ phase, action }) => phase === "order" && action === "order");
  const state = taken ? "taken_up" : table.turnedDown ? "turned_down" : "upcard";
  return element("p", { class: taken || table.turnedDown ? "beside gone" : "beside" },
    `${text(`table.${state}`)} `, drawCard(table.upcard, text));
}

/** The trick before, in words. */
export function trickWords(text, trick, who) {
  const plays = trick.plays.map(({ seat, card }) => `${who(seat)}: ${cardWords(card, text)}`);
  return plays.join(", ");
}
