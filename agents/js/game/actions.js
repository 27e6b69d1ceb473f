/** The 43 actions of every profile, and their text both ways. */

import { CARDS, TRUMPS, cardId } from "./cards.js";

export const PASS = 24;
export const ORDER = 25;
export const NAME = 26; // + suit C D H S, or 4 for no-trump
export const BID = 31; // + tricks bid - 1
export const STAY = 39;
export const DROP = 40;
export const EXCHANGE = 41;
export const KEEP = 42;
export const NUM_ACTIONS = 43;

export const ACTIONS = Object.freeze([
  ...CARDS,
  "pass",
  "order",
  ...TRUMPS.map((trump) => `name:${trump}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((tricks) => `bid:${tricks}`),
  "stay",
  "drop",
  "exchange",
  "keep",
]);
const IDS = new Map(ACTIONS.map((text, id) => [text, id]));

/** The record text of an action in a phase: a card is `discard:…` in the phase `discard`, else `play:…`. */
export const actionText = (action, phase) =>
  action >= PASS ? ACTIONS[action] : `${phase === "discard" ? "discard" : "play"}:${ACTIONS[action]}`;

/** The action of a record text in a phase; undefined where the phase has no such action. */
export function actionId(text, phase) {
  const [head, card] = String(text).split(":");
  const id = head === "play" || head === "discard" ? cardId(card) : IDS.get(text);
  if (id === undefined) return undefined;
  return text === actionText(id, phase) || String(text).startsWith(`${phase}:10`) ? id : undefined;
}
