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
function rank(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** A card such as `"KH"`, drawn, with its words for those who do not see it. */
export function drawCard(card, text) {
  return element("b", { class: classOf(card), role: "img", "aria-label": cardWords(card, text) }, ...face(card));
}

/** A card as a button; `why` says why it cannot be chosen. */
export function drawChoice(card, text, why = null) {
  const words = why ? `${cardWords(card, text)}. ${why}` : cardWords(card, text);
  return element("button", { type: "button", class: `${classOf(card)} large`, "data-card": card, title: why },
    element("span", { "aria-hidden": "true" }, ...face(card)),
    element("span", { class: "unseen" }, words));
}

function classOf(card) {
  return RED.has(card[1]) ? "card red" : "card";
}

function face(card) {
  return [rank(card), element("i", {}, SIGNS[card[1]])];
}

/** A card face down. */
export function drawBack() {
  return element("b", { class: "card back", "aria-hidden": "true" });
}

/** A card in words: "king of hearts". */
export function cardWords(card, text) {
  return text("card", { rank: text(`rank.${card[0]}`), suit: text(`suit.${card[1]}`) });
}
