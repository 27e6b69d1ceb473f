/** The 24 cards, `6 * suit + rank`, their sets as bit masks, and the tables that know the bowers. Suits s and 3 - s have one colour. */

import { times } from "./bits.js";

export const RANKS = "9TJQKA";
export const SUITS = "CDHS";
export const TRUMPS = ["C", "D", "H", "S", "NT"];
export const NO_TRUMP = 4;
export const CARDS = Object.freeze([...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)));

const JACK = 2;
const TRUMP_ORDER = [0, 1, undefined, 2, 3, 4]; // 9 T Q K A, below the bowers

/** The left bower, a card; -1 where there is no trump (RULES §1.3). */
export const leftBower = (trump) => (trump === NO_TRUMP ? -1 : 6 * (3 - trump) + JACK);

/** SUIT[trump][card]: the suit a card belongs to; the left bower is a trump (RULES §1.3, §1.6). */
export const SUIT = times(5, (trump) => times(24, (card) => (card === leftBower(trump) ? trump : Math.floor(card / 6))));

/** FOLLOW[trump][suit]: the cards that belong to a suit. */
export const FOLLOW = times(5, (trump) =>
  times(4, (suit) => SUIT[trump].reduce((mask, belongs, card) => (belongs === suit ? mask | (1 << card) : mask), 0)),
);

function strength(trump, led, card) {
  const rank = card % 6;
  if (SUIT[trump][card] === trump) {
    if (rank === JACK) return card === leftBower(trump) ? 12 : 13;
    return 7 + TRUMP_ORDER[rank];
  }
  return SUIT[trump][card] === led ? 1 + rank : 0;
}

/** STRENGTH[trump][led][card]: the highest wins a trick, 0 never does; plain 1..6, trump 7..13 (RULES §1.4, §1.5). */
export const STRENGTH = times(5, (trump) => times(4, (led) => times(24, (card) => strength(trump, led, card))));

const IDS = new Map([...CARDS.map((text, id) => [text, id]), ...[...SUITS].map((suit, s) => [`10${suit}`, 6 * s + 1])]);

/** The card of a text such as "9C" or "TH" ("10H" is read too); undefined for anything else (RULES §1.1, §1.2). */
export const cardId = (text) => IDS.get(text);

export function cardsIn(mask) {
  const cards = [];
  for (let rest = mask; rest; rest &= rest - 1) cards.push(31 - Math.clz32(rest & -rest));
  return cards;
}

export const maskOf = (cards) => cards.reduce((mask, card) => mask | (1 << card), 0);

const trumpId = (trump) => (trump === null ? NO_TRUMP : TRUMPS.indexOf(trump));

export const suitOf = (card, trump = null) => TRUMPS[SUIT[trumpId(trump)][cardId(card)]];
export const strengthOf = (card, trump, led) => STRENGTH[trumpId(trump)][TRUMPS.indexOf(led)][cardId(card)];
