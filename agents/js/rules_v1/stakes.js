/** What tricks are worth: the scoring of a hand, and the score of the match around it. */

import { toward } from "../game/rules.js";
import { playedPoints } from "../game/scoring.js";

const NEVER = 1000;
const CLOSE = 3; // points that a rival needs who may well win with the next hand
const DESPERATE = 0.5; // how much less a penalty weighs for a seat that is about to lose anyway
const GOING_OUT = 2;
const SWEEP_WINS = 2;

/** Points that a seat still needs; the weight of a penalty; what a sweep is worth beside its tricks. */
export function weighStakes(table, rules, seat) {
  const needed = table.scores.slice(0, rules.seats).map((score) => toward(rules) * (rules.target - score));
  const far = needed[seat];
  const rival = Math.min(...needed);
  const byTarget = rules.hands === null || rules.target_in_hands;
  const desperate = byTarget && rival <= CLOSE && far > rival;
  return {
    far: byTarget ? Math.max(far, 1) : NEVER,
    caution: desperate ? 1 - (DESPERATE * (CLOSE + 1 - Math.max(rival, 1))) / CLOSE : 1,
    sweep: rules.sweep_wins ? SWEEP_WINS : 0,
  };
}

/** What so many tricks are worth to a seat that needs some, the maker or another. */
export function worth(rules, makes, needs, tricks, stakes) {
  const scored = playedPoints(rules, makes, needs, tricks);
  if (tricks < needs) return scored * stakes.caution;
  return scored + (tricks === 5 ? stakes.sweep : 0) + (scored >= stakes.far ? GOING_OUT : 0);
}
