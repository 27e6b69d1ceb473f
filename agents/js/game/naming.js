/** The dealer's discards, and trump named by the winner of the auction or the stuck dealer. */

import { NAME } from "./actions.js";
import { cardsIn } from "./cards.js";
import { BUCK } from "./facts.js";
import { openPlay } from "./playing.js";
import { NONE } from "./state.js";
import { openStay } from "./staying.js";

/** Any card the dealer holds; a house may except the upcard it has just taken (RULES §7.1, §7.3, §7.6). */
export const legalDiscard = (table, rules) =>
  cardsIn(rules.discard_upcard ? table.hand[table.dealer] : table.hand[table.dealer] & ~(1 << table.rest[0]));

/** One card at a time; HIDDEN stands for a card that the viewer of a table does not see (RULES §7.2, §7.3). */
export function applyDiscard(table, rules, card) {
  const made = table.discards.indexOf(NONE);
  table.discards[made] = card;
  if (card >= 0) table.hand[table.dealer] &= ~(1 << card);
  if (rules.making === "dealer") {
    if (made === BUCK - 1) table.phase = "name";
  } else if (rules.discard === "after_stay") {
    openPlay(table, rules);
  } else {
    openStay(table, rules);
  }
}

/** Any suit, and no-trump where the house has it (RULES §5.5, §7.4, §7.5). */
export const legalName = (table, rules) => [0, 1, 2, 3, ...(rules.no_trump ? [4] : [])].map((trump) => NAME + trump);

/** Trump is named; where there is no maker everyone plays (RULES §6.5, §7.4). */
export function applyName(table, rules, action) {
  table.trump = action - NAME;
  if (table.maker === NONE) openPlay(table, rules);
  else openStay(table, rules);
}
