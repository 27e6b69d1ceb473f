/** The rules in motion: each phase has one legal/apply pair. Actions are numbers, out of `permitted`. */

import { EXCHANGE, KEEP, ORDER, PASS } from "./actions.js";
import { cardsIn } from "./cards.js";
import { applyExchange } from "./dealing.js";
import { applyBid, applyCall, applyOrder, legalBid, legalCall } from "./making.js";
import { applyDiscard, applyName, legalDiscard, legalName } from "./naming.js";
import { applyPlay, legalPlay, playCard } from "./playing.js";
import { matchEnd, pay } from "./scoring.js";
import { NONE } from "./state.js";
import { applyStay, legalStay } from "./staying.js";

const RULES_OF = {
  exchange: [() => [EXCHANGE, KEEP], applyExchange], // RULES §4.1
  order: [() => [PASS, ORDER], applyOrder], // RULES §5.1
  call: [legalCall, applyCall],
  bid: [legalBid, applyBid],
  discard: [legalDiscard, applyDiscard],
  name: [legalName, applyName],
  stay: [legalStay, applyStay],
  play: [(table) => cardsIn(legalPlay(table)), applyPlay],
  over: [() => []],
};

/** The legal actions of the seat to act, ascending; none when the hand is over (RULES §3.1, §3.3). */
export const legal = (table, rules) => RULES_OF[table.phase][0](table, rules);

/** What `apply` accepts: the legal actions, and where reneges are played every card held (RULES §3.4, §10.1). */
export const permitted = (table, rules) =>
  rules.illegal_play === "renege" && table.phase === "play" ? cardsIn(table.hand[table.seat]) : legal(table, rules);

/** Take a permitted action of the seat to act (RULES §3.1). */
export function apply(table, rules, action) {
  RULES_OF[table.phase][1](table, rules, action);
  if (table.phase === "over") close(table, rules);
}

/** Play a card for a viewer who may not see the hand it comes from (RULES §10.1, §13.2). */
export function applySeenPlay(table, rules, card, reneges) {
  playCard(table, rules, card, reneges);
  if (table.phase === "over") close(table, rules);
}

/** Pay the points of a hand that is over, and see who has won; a redeal pays nothing (RULES §5.8, §12.6). */
function close(table, rules) {
  table.seat = NONE;
  if (table.trump === NONE) return;
  for (let seat = 0; seat < rules.seats; seat++) pay(table, rules, seat);
  table.handsPlayed++;
  table.winners = matchEnd(table, rules).winners;
}
