/** The odds that a card holds against the cards still out, multiplied over the seats yet to play. */

import { count, seatsIn, times } from "../game/bits.js";
import { FOLLOW, NO_TRUMP, STRENGTH, SUIT } from "../game/cards.js";
import { upcardTaken } from "../game/facts.js";
import { CARD, SEAT_SHIFT } from "../game/state.js";

function choose(n, k) {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways;
}

/** MISS[n][u][k]: the chance that a hand of n, out of u unseen cards, holds none of k of them. */
export const MISS = times(6, (n) => times(25, (u) => times(25, (k) => (u >= n ? choose(Math.max(u - k, 0), n) / choose(u, n) : 0))));

/** BEATS[trump][led][card]: the cards that beat a card, a mask. */
const BEATS = STRENGTH.map((byLed) =>
  byLed.map((power) => power.map((own) => power.reduce((mask, other, card) => (other > own ? mask | (1 << card) : mask), 0))),
);

/** The cards that no other seat can still play, as far as this one knows. */
export function seenCards(table, rules, seat) {
  let seen = table.hand[seat];
  const { exchanged } = table;
  if (exchanged < 2 << seat && (exchanged & (exchanged - 1)) === 0) seen |= table.laid[seat]; // nobody has taken what it laid down
  for (const card of table.rest) if (card >= 0) seen |= 1 << card;
  if (table.dealer !== seat && upcardTaken(table, rules)) seen &= ~(1 << table.rest[0]);
  for (const card of table.discards) if (card >= 0) seen |= 1 << card;
  for (const play of table.plays) seen |= 1 << (play & CARD);
  return seen;
}

/** What seats have shown by not following: bit `4 * seat + suit` where no card of a suit is left. */
export function shownVoids(table) {
  let voids = 0;
  let trick = -1;
  let led = 0;
  table.plays.forEach((play, i) => {
    const suit = SUIT[table.trump][play & CARD];
    if (i === table.starts[trick + 1]) {
      trick++;
      led = suit;
    } else if (suit !== led) {
      voids |= 1 << (4 * (play >> SEAT_SHIFT) + led);
    }
  });
  return voids;
}

/**
 * The chance that none of some seats, n cards each, beats a card in a trick where a suit was led. Their hands come out
 * of `unseen` cards, among them those of the mask `hidden`.
 */
export function survives(trump, led, card, n, hidden, unseen, seats, voids) {
  const beating = BEATS[trump][led][card] & hidden;
  if (beating === 0 || n === 0) return 1;
  const follow = count(FOLLOW[trump][led] & hidden);
  const higher = count(beating & FOLLOW[trump][led]);
  const trumps = count(beating) - higher; // of another suit than the led one
  const off = Math.max(unseen - follow, 0);
  let chance = 1;
  for (const seat of seatsIn(seats)) {
    const cannot = trump === NO_TRUMP || (voids >> (4 * seat + trump)) & 1;
    const ruffs = cannot ? 0 : 1 - MISS[n][off][trumps];
    if ((voids >> (4 * seat + led)) & 1) chance *= 1 - ruffs;
    else chance *= MISS[n][unseen][higher] - MISS[n][unseen][follow] * ruffs;
  }
  return Math.max(chance, 0);
}
