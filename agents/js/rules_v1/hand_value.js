/** What a hand is worth, by the ordered logit of agents/rules_v1/hand_value.py. */

import { count } from "../game/bits.js";
import { FOLLOW, NO_TRUMP, STRENGTH, SUIT, cardsIn } from "../game/cards.js";
import { worth } from "./stakes.js";

/** What a seat undertakes: its contract, to take a part against a maker, or nothing where there is no maker. */
export const MAKER = 0;
export const STAYER = 1;
export const EVERYONE = 2;

/** The weight of each number that describes a hand: maker, stayer, everyone with a trump, then the same at no-trump. */
const WEIGHTS = [
  [3.72, 2.7, 2.04, 1.79, 1.65, 1.62, 0.17, -0.14, 0.94, 1.29, 0.57, 0.16, 0.38, -0.13, 0.15, -0.07, 0.66, -0.78, 0, 0, 0, -0.18],
  [3.47, 2.47, 1.95, 1.74, 1.59, 1.53, 0.1, -0.23, 0.82, 1.24, 0.56, 0.05, 0.44, 0.49, 0.27, 0.14, 0.95, -0.22, -0.74, -0.23, 0.29, -0.51],
  [4.31, 3.1, 2.37, 2.05, 1.86, 1.69, -0.09, -0.02, 1.14, 1.19, 0.17, -0.14, 0.46, 0.49, 1.15, 0, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.29, 0.32, 0.69, 0.7, -0.05, 0, -0.05, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.3, 0.62, -0.15, -0.17, 1.05, 0.3, 0.23, 0, 0, -0.59, 0.07, 0.29, 0],
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 2.25, 0.4, 0.25, 0.22, 1.19, 0.33, 0, 0, 0, 0, 0, 0, 0],
];

/** The strength at which 1..5 tricks or more are as likely as not. */
const CUTS = [
  [2.69, 4.87, 6.76, 8.7, 10.71],
  [2.5, 4.7, 6.69, 8.44, 10.3],
  [4.47, 6.9, 9.12, 11.4, 13.8],
  [0.27, 1.33, 2.11, 2.93, 3.69],
  [1.62, 2.43, 3.33, 4.17, 5.21],
  [2.37, 3.74, 5.13, 6.65, 7.95],
];

const rowOf = (role, trump) => (trump === NO_TRUMP ? role + 3 : role);

/** How strong five cards are in a role under a trump; `takenUp`: what the dealer, another seat, takes up, or -1. */
export function strengthOf(table, rules, seat, hand, trump, role, takenUp) {
  const makerLeads = rules.lead === "maker" && role !== EVERYONE;
  const leader = makerLeads ? (role === MAKER ? seat : table.maker) : table.dealer + 1;
  const turn = (seat + 2 * rules.seats - leader) % rules.seats;
  const stays = role === STAYER;
  const numbers = [
    ...describeCards(hand, trump),
    turn === 0,
    turn / (rules.seats - 1),
    rules.seats === 3,
    (rules.stayer_needs - 1) / 2,
    takenUp >= 0 && trump !== NO_TRUMP ? (STRENGTH[trump][trump][takenUp] - 6) / 7 : 0,
    stays ? count(table.stayed) : 0,
    stays ? rules.seats - 2 - count(table.stayed | table.dropped) : 0,
    stays ? table.contract - 3 : 0,
    rules.making === "order" && role !== EVERYONE && SUIT[NO_TRUMP][table.rest[0]] !== trump,
  ];
  return numbers.reduce((sum, number, i) => sum + number * WEIGHTS[rowOf(role, trump)][i], 0);
}

/** The first 13 numbers: trumps, plain aces and kings, and the shape. */
function describeCards(hand, trump) {
  const suited = trump !== NO_TRUMP;
  const trumps = suited ? hand & FOLLOW[trump][trump] : 0;
  const held = count(trumps);
  const top = [0, 0, 0, 0, 0, 0];
  for (const card of cardsIn(trumps)) top[Math.min(13 - STRENGTH[trump][trump][card], 5)]++;
  let [aces, kings, guarded, voids, longest] = [0, 0, 0, 0, 0];
  for (let suit = 0; suit < 4; suit++) {
    if (suit === trump) continue;
    const mine = hand & ~trumps & (63 << (6 * suit));
    const ace = (mine >> (6 * suit + 5)) & 1;
    const king = (mine >> (6 * suit + 4)) & 1;
    aces += ace;
    kings += king & ~ace;
    guarded += king & ace;
    voids += mine === 0 && held > 0;
    longest = Math.max(longest, count(mine));
  }
  // Suits that can be ruffed; at no-trump the cards beyond two of the longest suit.
  const shape = suited ? voids : Math.max(longest - 2, 0);
  return [...top, held >= 3, held >= 4, suited && held === 0, aces, kings, guarded, shape];
}

/** The points that a hand of some strength brings on average to a seat that needs so many tricks. */
export function expected(strength, role, trump, needs, rules, stakes) {
  if (needs > 5) return worth(rules, role === MAKER, needs, 0, stakes); // out of reach, whatever the hand
  const cuts = CUTS[rowOf(role, trump)];
  let value = 0;
  let more = 1; // the chance of at least so many tricks
  for (let tricks = 0; tricks < 6; tricks++) {
    const then = tricks < 5 ? 1 / (1 + Math.exp(cuts[tricks] - strength)) : 0;
    value += (more - then) * worth(rules, role === MAKER, needs, tricks, stakes);
    more = then;
  }
  return value;
}
