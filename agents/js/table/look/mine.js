/** The person's own cards and choices: legal ones lifted, the others dimmed with the reason. */

import { strengthOf, suitOf } from "../../index.js";
import { drawChoice, isRed, sign } from "./cards.js";
import { button, element, fill } from "./page.js";
import { actionWords, phaseWords, whyWords } from "./words.js";

const OF_CARDS = ["play", "discard"];

/** Draw the person's part. `choose` is called with an action, or is null where it is not the person's turn. */
export function drawMine(places, { text, table, person, who, choose, explain }) {
  const mine = choose !== null;
  const permitted = mine ? table.permitted() : [];
  const reasons = new Set();
  const cards = inOrder(table, person).map((card) => {
    const action = permitted.find((action) => action.endsWith(`:${card}`) && OF_CARDS.includes(action.split(":")[0]));
    const why = mine && !action && OF_CARDS.includes(table.phase) ? whyWords(text, table, card) : null;
    const drawn = drawChoice(card, text, why);
    if (action) {
      drawn.classList.add("legal");
      drawn.addEventListener("click", () => choose(action));
    } else {
      drawn.setAttribute("aria-disabled", "true");
    }
    if (why) {
      reasons.add(why);
      drawn.classList.add("dim");
      drawn.addEventListener("click", () => explain(why));
    }
    return drawn;
  });
  const others = permitted.filter((action) => !OF_CARDS.includes(action.split(":")[0]));
  fill(places.hand, cards);
  places.hand.classList.toggle("out", table.dropped.includes(person) || table.reneged.includes(person));
  others.sort((a, b) => (a === "name:NT") - (b === "name:NT"));
  fill(places.choices, others.map((action) => choice(text, table, action, () => choose(action))));
  fill(places.phase, mine ? phaseWords(text, table, who) : "");
  fill(places.why, [...reasons].map((why) => element("span", {}, why)));
}

function choice(text, table, action, act) {
  const [kind, of] = action.split(":");
  const suit = kind === "order" ? table.upcard[1] : kind === "name" && of !== "NT" ? of : null;
  const made = button(actionWords(text, action), act, { "data-action": action });
  if (suit) {
    made.prepend(element("span", { class: isRed(suit) ? "suit red" : "suit", "aria-hidden": "true" }, sign(suit)), " ");
    if (kind === "order") made.append(` ${text(`suit.${suit}`)}`);
  }
  return made;
}

/** A hand as people sort it: trump first, then suits of alternating colour, the highest card first. */
function inOrder(table, seat) {
  const { trump } = table;
  const suits = trump && trump !== "NT" ? order(trump) : ["S", "H", "C", "D"];
  const place = (card) => suits.indexOf(suitOf(card, trump));
  const strength = (card) => strengthOf(card, trump ?? "NT", suitOf(card, trump));
  return table.hand(seat).sort((a, b) => place(a) - place(b) || strength(b) - strength(a));
}

function order(trump) {
  const black = ["S", "C"];
  const [own, other] = black.includes(trump) ? [black, ["H", "D"]] : [["H", "D"], black];
  const twin = own.find((suit) => suit !== trump);
  return [trump, other[0], twin, other[1]];
}
