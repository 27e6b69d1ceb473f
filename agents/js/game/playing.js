/** The play: five tricks, and what becomes of a card that does not follow suit. */

import { count, nextIn, seatsIn } from "./bits.js";
import { FOLLOW, STRENGTH, SUIT } from "./cards.js";
import { pay } from "./scoring.js";
import { CARD, NONE, SEAT_SHIFT } from "./state.js";

/** The maker leads, or the first seat at the dealer's left that plays (RULES §9.1). */
export function openPlay(table, rules) {
  table.phase = "play";
  const makerLeads = rules.lead === "maker" && table.maker !== NONE;
  table.seat = makerLeads ? table.maker : nextIn(table.dealer, rules, table.dropped);
  table.starts[0] = 0;
}

/** The card led to the trick in progress, or NONE. */
export const ledCard = (table) => {
  const start = table.starts[table.trick];
  return start >= 0 && start < table.plays.length ? table.plays[start] & CARD : NONE;
};

/** Follow the led suit if able, otherwise any card, a mask (RULES §9.2, §10.6). */
export function legalPlay(table) {
  const hand = table.hand[table.seat];
  const led = ledCard(table);
  if (led === NONE) return hand;
  return hand & FOLLOW[table.trump][SUIT[table.trump][led]] || hand;
}

/** Whether a card leads, or belongs to the suit led (RULES §1.3, §9.2). */
export function follows(table, card) {
  const led = ledCard(table);
  return led === NONE || SUIT[table.trump][card] === SUIT[table.trump][led];
}

/** Play a card; in a house that plays reneges it may be one (RULES §10.1). */
export function applyPlay(table, rules, card) {
  playCard(table, rules, card, rules.illegal_play === "renege" && !(legalPlay(table) & (1 << card)));
}

/** Play a card of which it is known whether it is a renege (RULES §9.4, §10.2, §10.3, §10.5). */
export function playCard(table, rules, card, reneges) {
  const seat = table.seat;
  table.plays.push((seat << SEAT_SHIFT) | card);
  table.hand[seat] &= ~(1 << card);
  if (reneges) {
    table.reneged |= 1 << seat;
    pay(table, rules, seat); // at once
    const out = table.dropped | table.reneged;
    if (count(out) === rules.seats - 1) {
      const [last] = seatsIn(~out);
      table.tricks[last] += 5 - table.trick;
      table.phase = "over";
      return;
    }
  }
  const after = nextIn(seat, rules, table.dropped | table.reneged);
  if (after === table.plays[table.starts[table.trick]] >> SEAT_SHIFT) closeTrick(table); // round to the leader
  else table.seat = after;
}

/** Who wins cards played to a trick in which some suit was led; a reneged card cannot (RULES §9.3, §10.3). */
export function winnerOf(table, plays) {
  const led = SUIT[table.trump][plays[0] & CARD];
  let best = 0; // 4 * strength + seat
  for (const play of plays) {
    const seat = play >> SEAT_SHIFT;
    const valid = (table.reneged >> seat) & 1 ? 0 : 1;
    best = Math.max(best, ((STRENGTH[table.trump][led][play & CARD] * valid) << 2) | seat);
  }
  return best & 3;
}

/** The winner of a trick leads to the next (RULES §9.3, §9.4). */
function closeTrick(table) {
  const winner = winnerOf(table, table.plays.slice(table.starts[table.trick]));
  table.tricks[winner]++;
  table.trick++;
  if (table.trick === 5) {
    table.phase = "over";
  } else {
    table.starts[table.trick] = table.plays.length;
    table.seat = winner;
  }
}
