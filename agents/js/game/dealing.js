/** The deal, and the exchange of a hand for the widow. */

import { EXCHANGE } from "./actions.js";
import { left } from "./bits.js";
import { WIDOW, besideHands, exchangePlace, previousTaker } from "./facts.js";
import { openMaking } from "./making.js";
import { NONE, makeState } from "./state.js";

/** A table with a pack of 24 dealt to seats 0, 1, …, five each, the rest beside (RULES §2.1, §2.5). */
export function deal(rules, pack, dealer, scores, handsPlayed) {
  const table = makeState(scores, handsPlayed);
  pack.forEach((card, i) => {
    const seat = Math.floor(i / 5);
    if (seat < rules.seats) table.hand[seat] |= 1 << card;
    else table.rest[i - 5 * rules.seats] = card;
  });
  table.dealer = dealer;
  if (rules.exchange === "none") {
    openMaking(table, rules);
  } else {
    table.phase = "exchange";
    table.seat = left(dealer, rules, rules.seats - 1);
  }
  return table;
}

/** A taker lays its hand down; the first ends the exchange, or every seat is asked (RULES §4.1, §4.2, §4.3). */
export function applyExchange(table, rules, action) {
  const seat = table.seat;
  if (action === EXCHANGE) {
    const taken = faceDown(table, rules);
    table.laid[seat] = table.hand[seat];
    table.hand[seat] = taken;
    table.exchanged |= 1 << seat;
  } else {
    table.kept |= 1 << seat;
  }
  const settled = action === EXCHANGE && rules.exchange === "first";
  if (settled || exchangePlace(table, rules, seat) === rules.seats - 1) openMaking(table, rules);
  else table.seat = left(seat, rules, 1);
}

/** What the seat to act gets: the hand last laid down, at first the widow (RULES §4.1, §4.2). */
function faceDown(table, rules) {
  const earlier = previousTaker(table, rules, table.seat);
  if (earlier !== NONE) return table.laid[earlier];
  return besideHands(table, WIDOW);
}
