/** Making trump: the two circuits over the upcard, and the auction. */

import { BID, NAME, ORDER, PASS } from "./actions.js";
import { count, left } from "./bits.js";
import { NO_TRUMP, SUIT } from "./cards.js";
import { BUCK, besideHands } from "./facts.js";
import { legalName } from "./naming.js";
import { openPlay } from "./playing.js";
import { IN_AUCTION, IN_CALL, IN_ORDER, NONE } from "./state.js";
import { openStay } from "./staying.js";

export const turnedSuit = (table) => SUIT[NO_TRUMP][table.rest[0]];

/** A club turned settles it; else the house's way begins (RULES §2.2, §2.3, §2.4, §3.2). */
export function openMaking(table, rules) {
  table.seat = left(table.dealer, rules, 1);
  if (rules.forced_clubs && turnedSuit(table) === 0) {
    table.trump = 0; // clubs; everyone plays, no maker
    openPlay(table, rules);
  } else if (rules.making !== "dealer") {
    table.phase = rules.making;
  } else {
    table.seat = table.dealer;
    table.hand[table.dealer] |= besideHands(table, BUCK);
    table.phase = "discard";
  }
}

/** An order makes the upcard's suit trump, and the dealer may have to take it (RULES §5.1, §5.2, §7.2). */
export function applyOrder(table, rules, action) {
  const seat = table.seat;
  if (action !== ORDER) {
    table.passed[IN_ORDER] |= 1 << seat;
    table.seat = left(seat, rules, 1);
    if (seat === table.dealer) table.phase = "call";
    return;
  }
  make(table, rules, turnedSuit(table));
  if (rules.pick_up) {
    table.hand[table.dealer] |= 1 << table.rest[0]; // whoever ordered
    if (rules.discard !== "after_stay") {
      table.seat = table.dealer;
      table.phase = "discard";
      return;
    }
  }
  openStay(table, rules);
}

/** Whether the seat to act may name the suit turned down (RULES §5.4, §5.10). */
export const mayNameTurned = (table, rules) =>
  rules.turned_down === "anyone" || (rules.turned_down === "dealer" && table.seat === table.dealer);

/** Whether the seat to act is a dealer who must name a trump (RULES §5.9). */
export const isStuck = (table, rules) => rules.all_pass === "stick_dealer" && table.seat === table.dealer;

/** Name a suit or pass (RULES §5.3 to §5.5, §5.9, §5.10). */
export function legalCall(table, rules) {
  const refused = mayNameTurned(table, rules) ? NONE : NAME + turnedSuit(table);
  const names = legalName(table, rules).filter((name) => name !== refused);
  return isStuck(table, rules) ? names : [PASS, ...names];
}

/** The first suit named is trump; after the dealer's pass nobody makes it (RULES §5.3, §5.7). */
export function applyCall(table, rules, action) {
  const seat = table.seat;
  if (action !== PASS) {
    make(table, rules, action - NAME);
    openStay(table, rules);
    return;
  }
  table.passed[IN_CALL] |= 1 << seat;
  table.seat = left(seat, rules, 1);
  if (seat === table.dealer) allPass(table, rules);
}

/** The seat to act makes trump and undertakes a number of tricks (RULES §5.6). */
function make(table, rules, trump) {
  table.trump = trump;
  table.maker = table.seat;
  table.contract = rules.maker_needs;
}

/** Nobody makes trump: no-trump without a maker, or a redeal, which has no trump (RULES §5.7, §5.8). */
function allPass(table, rules) {
  if (rules.all_pass === "no_trump") {
    table.trump = NO_TRUMP;
    openPlay(table, rules);
  } else {
    table.phase = "over";
  }
}

export const leastBid = (table, rules) => Math.max(rules.bid_min, table.contract + 1);

/** Pass, or higher than the last bid (RULES §6.1, §6.6). */
export function legalBid(table, rules) {
  const bids = [PASS];
  for (let tricks = leastBid(table, rules); tricks <= rules.bid_max; tricks++) bids.push(BID + tricks - 1);
  return bids;
}

/** A bid or a pass; the last bidder is the maker and names trump (RULES §6.2 to §6.5). */
export function applyBid(table, rules, action) {
  const seat = table.seat;
  const once = rules.bid_circuits === "one";
  if (action === PASS) {
    table.passed[IN_AUCTION] |= 1 << seat;
  } else {
    if (!once) table.passed[IN_AUCTION] = 0; // who passed may bid when the turn returns
    table.contract = action - BID + 1;
    table.maker = seat;
    table.bidders[table.contract - 1] = seat;
  }
  table.seat = left(seat, rules, 1);
  const inARow = count(table.passed[IN_AUCTION]);
  const over = once ? seat === table.dealer : inARow === (table.maker === NONE ? rules.seats : rules.seats - 1);
  if (!over) return;
  if (table.maker === NONE) {
    allPass(table, rules);
  } else {
    table.seat = table.maker;
    table.phase = "name";
  }
}
