/** Staying and dropping: every seat but the maker, and the walkover of a maker whom all leave. */

import { DROP, STAY } from "./actions.js";
import { left } from "./bits.js";
import { stayBegins, upcardTaken } from "./facts.js";
import { openPlay } from "./playing.js";
import { walkedOver } from "./scoring.js";

/** The stay round begins at the left of the maker, or of the dealer (RULES §8.1, §8.2). */
export function openStay(table, rules) {
  if (!rules.may_drop) {
    closeStay(table, rules);
    return;
  }
  table.phase = "stay";
  table.seat = stayBegins(table, rules);
  if (table.seat === table.maker) table.seat = left(table.seat, rules, 1);
}

/** Whether a low score binds the seat to act to stay (RULES §8.4). */
export const mustStay = (table, rules) => rules.forced_stay !== null && table.scores[table.seat] <= rules.forced_stay;

/** Stay or drop (RULES §8.3, §8.4). */
export const legalStay = (table, rules) => (mustStay(table, rules) ? [STAY] : [STAY, DROP]);

/** A seat stays, or drops and plays no card (RULES §8.1, §8.5). */
export function applyStay(table, rules, action) {
  if (action === DROP) table.dropped |= 1 << table.seat;
  else table.stayed |= 1 << table.seat;
  let seat = left(table.seat, rules, 1);
  if (seat === table.maker) seat = left(seat, rules, 1);
  if (((table.stayed | table.dropped) >> seat) & 1) closeStay(table, rules);
  else table.seat = seat;
}

/** All others dropped: a walkover. Else a dealer may still have to discard (RULES §7.2, §8.6). */
function closeStay(table, rules) {
  if (walkedOver(table, rules)) {
    if (rules.walkover === "tricks") table.tricks[table.maker] = 5;
    table.phase = "over";
    return;
  }
  const late = rules.discard === "after_stay" && !((table.dropped >> table.dealer) & 1);
  if (late && upcardTaken(table, rules)) {
    table.seat = table.dealer;
    table.phase = "discard";
  } else {
    openPlay(table, rules);
  }
}
