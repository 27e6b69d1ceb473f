/** Cards as the pages of tournaments draw them: a rank above a suit sign. */

import { element } from "./page.js";

const SIGNS = { C: "♣\ufe0e", D: "♦\ufe0e", H: "♥\ufe0e", S: "♠\ufe0e" }; // \ufe0e: no emoji, so that it takes its colour
const RED = new Set(["D", "H"]);

/** The sign of a suit, to be coloured by whoever shows it. */
export function sign(suit) {
  return SIGNS[suit];
}

/** Whether a suit is printed in red. */
export function isRed(suit) {
  return RED.has(suit);
}

/** A rank as it is printed: `T` is a 10. */
export function rank(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** A card such as `"KH"`, drawn; `tag` may be a button. Its words are for those who do not see it. */
export function drawCard(card, text, tag = "b") {
  const drawn = element(tag, { class: RED.has(card[1]) ? "card red" : "card", "data-card": card }, rank(card), element("i", {}, SIGNS[card[1]]));
  if (tag === "button") drawn.setAttribute("aria-label", cardWords(card, text));
  else {
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", cardWords(card, text));
  }
  return drawn;
}

/** A card face down. */
export function drawBack() {
  return element("b", { class: "card back", "aria-hidden": "true" });
}

/** A card in words: "king of hearts". */
export function cardWords(card, text) {
  return text("card", { rank: text(`rank.${card[0]}`), suit: text(`suit.${card[1]}`) });
}
