/** Scoring: the points that a hand brings, and who has won the match with it. Nothing here changes a table. */

import { count, left } from "./bits.js";
import { needs } from "./facts.js";
import { NONE } from "./state.js";
import { toward } from "./rules.js";

/** Whether all others have left the maker alone (RULES §8.6). */
export const walkedOver = (table, rules) => count(table.dropped) === rules.seats - 1;

const madePoints = (rules, makes, contract, tricks) =>
  makes && rules.made_contract === "bid" ? Math.min(contract, tricks) : tricks;

/** What its tricks bring to a seat that played and needed so many (RULES §11.3, §11.4). */
export function playedPoints(rules, makes, needed, tricks) {
  if (tricks < needed) return -(makes ? rules.maker_penalty : rules.stayer_penalty);
  return madePoints(rules, makes, needed, tricks);
}

/** The rule by which a seat scores, and its points toward the target (RULES §10.2, §11.1, §11.3 to §11.7). */
export function scored(table, rules, seat) {
  const makes = seat === table.maker;
  const tricks = table.tricks[seat];
  if ((table.reneged >> seat) & 1) return { rule: "renege", points: -rules.renege_penalty };
  if ((table.dropped >> seat) & 1) return { rule: "dropped", points: rules.drop_points };
  if (walkedOver(table, rules)) {
    const fixed = rules.walkover === "points";
    return { rule: "walkover", points: fixed ? rules.walkover_points : madePoints(rules, makes, table.contract, tricks) };
  }
  const needed = needs(table, rules, seat);
  const points = playedPoints(rules, makes, needed, tricks);
  if (tricks < needed) return { rule: "penalty", points };
  return { rule: makes && rules.made_contract === "bid" ? "contract" : "tricks", points };
}

/** Bring a seat's score to what this hand is worth to it; what it has been paid already counts (RULES §11.1). */
export function pay(table, rules, seat) {
  const change = toward(rules) * scored(table, rules, seat).points - table.deltas[seat];
  table.deltas[seat] += change;
  table.scores[seat] += change;
}

/** The seats that have won the match with a hand whose points are paid, a bit each; and why (RULES §12.1 to §12.5). */
export function matchEnd(table, rules) {
  for (let seat = 0; seat < rules.seats; seat++)
    if (rules.sweep_wins && table.tricks[seat] === 5) return { winners: 1 << seat, by: "sweep" };
  const up = toward(rules);
  const totals = table.scores.slice(0, rules.seats).map((score) => up * score);
  const best = Math.max(...totals);
  let by = rules.hands !== null && table.handsPlayed >= rules.hands ? "hands" : null;
  if ((rules.hands === null || rules.target_in_hands) && best >= up * rules.target) by = "target";
  if (!by) return { winners: 0, by: null };
  let ahead = 0;
  let first = NONE;
  for (let steps = 1; steps <= rules.seats; steps++) {
    const seat = left(table.dealer, rules, steps);
    if (totals[seat] !== best) continue;
    ahead |= 1 << seat;
    if (first === NONE) first = seat;
  }
  if (ahead !== 1 << first && rules.tie === "play_on") return { winners: 0, by: null };
  return { winners: rules.tie === "eldest" ? 1 << first : ahead, by };
}
