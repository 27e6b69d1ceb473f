/** Facts of a table that several parts ask for. */

import { left } from "./bits.js";
import { maskOf } from "./cards.js";
import { CARD, IN_ORDER, NONE, SEAT_SHIFT } from "./state.js";

/** How many cards these have; both lie on top of the cards beside the hands (RULES §2.4, §2.5). */
export const BUCK = 4;
export const WIDOW = 5;

/** The cards known of the first n beside the hands, a mask: the buck or the widow. */
export const besideHands = (table, n) => maskOf(table.rest.slice(0, n).filter((card) => card >= 0));

/** Whether the upcard has been turned down: the dealer, the last to be asked, has passed (RULES §5.3). */
export const turnedDown = (table) => ((table.passed[IN_ORDER] >> table.dealer) & 1) === 1;

/** Whether the dealer has taken the upcard, after an order (RULES §5.1, §5.2). */
export const upcardTaken = (table, rules) =>
  rules.pick_up && rules.making === "order" && table.maker !== NONE && !turnedDown(table);

/** When the exchange comes to a seat: 0 the dealer's right, 1 the dealer, 2 its left (RULES §4.1). */
export const exchangePlace = (table, rules, seat) => (seat - table.dealer + 1 + rules.seats) % rules.seats;

/** The seat whose hand this one takes in an exchange; NONE where it is the widow (RULES §4.1, §4.2). */
export function previousTaker(table, rules, seat) {
  for (let steps = 1; steps <= exchangePlace(table, rules, seat); steps++) {
    const earlier = left(seat, rules, rules.seats - steps);
    if ((table.exchanged >> earlier) & 1) return earlier;
  }
  return NONE;
}

/** How many of the cards beside the hands a seat sees (RULES §13.1, §13.3 to §13.5). */
export function shownBeside(rules, deals, tookWidow) {
  if (tookWidow) return WIDOW;
  if (deals && rules.making === "dealer") return BUCK;
  return rules.turn_up ? 1 : 0;
}

/** The cards a seat holds or has played, a mask. */
export const heldOrPlayed = (table, seat) =>
  table.plays.reduce((cards, play) => (play >> SEAT_SHIFT === seat ? cards | (1 << (play & CARD)) : cards), table.hand[seat]);

/** The cards a seat took up, a mask: the buck, the upcard, the widow or a hand laid down (RULES §2.4, §4.1, §5.2). */
export function takenUp(table, rules, seat) {
  if ((table.exchanged >> seat) & 1) return heldOrPlayed(table, seat);
  if (seat !== table.dealer) return 0;
  if (rules.making === "dealer") return besideHands(table, BUCK);
  return upcardTaken(table, rules) ? 1 << table.rest[0] : 0;
}

/** The seat at which the stay round begins, unless it is the maker (RULES §8.2). */
export const stayBegins = (table, rules) => left(rules.stay_from === "maker" ? table.maker : table.dealer, rules, 1);

/** The tricks a seat has to take (RULES §10.4, §11.2). */
export const needs = (table, rules, seat) => (seat === table.maker ? table.contract : rules.stayer_needs);
