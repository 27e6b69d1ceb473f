/** What a seat may not know, taken out of a table. */

import { previousTaker, shownBeside } from "./facts.js";
import { HIDDEN, NONE } from "./state.js";

/** A copy of a table as a seat may know it (RULES §13.2, §13.3, §13.4). */
export function hide(table, rules, viewer) {
  const seen = structuredClone(table);
  const tookWidow = ((table.exchanged >> viewer) & 1) === 1 && previousTaker(table, rules, viewer) === NONE;
  for (let i = shownBeside(rules, viewer === table.dealer, tookWidow); i < 9; i++) if (seen.rest[i] !== NONE) seen.rest[i] = HIDDEN;
  for (let seat = 0; seat < rules.seats; seat++) if (seat !== viewer) seen.hand[seat] = seen.laid[seat] = 0;
  if (viewer !== table.dealer) seen.discards = seen.discards.map((card) => (card === NONE ? NONE : HIDDEN));
  return seen;
}
