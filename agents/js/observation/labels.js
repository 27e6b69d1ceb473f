/** Suits by other names: `labels[s]` is what suit s of C D H S NT goes by. */

import { NAME } from "../game/actions.js";

export const PLAIN = [0, 1, 2, 3, 4];

/** The labels under which these suits, of two colours, go by C and D, and their twins by S and H. */
export function labelsWith(first, second) {
  const labels = [0, 0, 0, 0, 4];
  labels[second] = 1;
  labels[3 - second] = 2;
  labels[3 - first] = 3;
  return labels;
}

export const relabelledCard = (card, labels) => 6 * labels[Math.floor(card / 6)] + (card % 6);

export function relabelledCards(cards, labels) {
  let relabelled = 0;
  for (let suit = 0; suit < 4; suit++) relabelled |= ((cards >> (6 * suit)) & 63) << (6 * labels[suit]);
  return relabelled;
}

export function relabelledAction(action, labels) {
  if (action < 24) return relabelledCard(action, labels);
  return action >= NAME && action < NAME + 4 ? NAME + labels[action - NAME] : action;
}
