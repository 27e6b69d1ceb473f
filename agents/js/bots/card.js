/** What the `bot.json` of a bundle says, checked: its form, its versions, and its layout. */

import { BotError, quoted } from "../base/errors.js";
import { isMapping, isWhole, same } from "../base/json.js";
import { fault, isNumber, isSwitch, isText, listOf, oneOf, orNull, shaped } from "../base/shape.js";
import { BUNDLE_FORMAT, STAMPS } from "../base/versions.js";
import { ACTIONS, NUM_ACTIONS } from "../game/actions.js";
import { parseRules, phasesOf } from "../game/rules.js";
import { OBSERVATION_SIZE, PIECES } from "../observation/pieces.js";

const any = () => true;
const spread = shaped({ mean: isNumber, low: isNumber, high: isNumber });
const strength = { against: isText, otherwise: orNull(isText), deals: isWhole, seed: isWhole, points: spread, edge: spread, gain: spread };
const level = { level: isText, departs: isNumber, temperature: isNumber, deals: isWhole, seed: isWhole, points: spread };
const CARD = {
  format: any, environment: any, rules_version: any, observation_version: any, actions_version: any,
  made_with: isText, license: isText, rules: isMapping, phases: listOf(isText), objective: oneOf("points", "win"),
  play: oneOf("greedy", "sampled"), level: orNull(isText), temperature: (value) => isNumber(value) && value > 0,
  precision: oneOf("float32", "int8"), inputs: isMapping, outputs: isMapping, observation: listOf(isMapping),
  canonical: isSwitch, suits: isText, actions: listOf(isText), provenance: isMapping,
  strength: listOf(shaped(strength)), levels: listOf(shaped(level)),
};

const LAYOUT = {
  inputs: { observation: ["int8", "batch", OBSERVATION_SIZE], action_mask: ["int8", "batch", NUM_ACTIONS] },
  outputs: { log_probabilities: ["float32", "batch", NUM_ACTIONS], value: ["float32", "batch"] },
  actions: ACTIONS,
  observation: PIECES.map(({ name, start, shape, low, high }) => ({ name, start, shape, low, high })),
};

/** The card of a `bot.json` and its rules; BotError says what is wrong with it. */
export function parseCard(bytes, where) {
  const card = parsed(bytes, where);
  for (const [key, ours] of Object.entries({ format: BUNDLE_FORMAT, ...STAMPS }))
    if (card[key] !== ours) throw new BotError(`${where}: ${key} is ${quoted(card[key])}, this version reads ${quoted(ours)}; export the bot again`);
  const wrong = fault(card, CARD);
  if (wrong) throw new BotError(`${where}: ${wrong}: is missing, unknown, or not of the form that a bundle has`);
  const theirs = { ...card, observation: card.observation.map(({ meaning, ...piece }) => piece) };
  for (const [key, ours] of Object.entries(LAYOUT))
    if (!same(theirs[key], ours)) throw new BotError(`${where}: ${key}: not as in this version; export the bot again`);
  const rules = rulesOf(card, where);
  const unknown = card.phases.filter((phase) => !phasesOf(rules).includes(phase));
  if (unknown.length || !card.phases.length) throw new BotError(`${where}: phases: ${unknown.join(", ") || "none"} is no phase of its rules`);
  return { card, rules };
}

function parsed(bytes, where) {
  try {
    const card = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isMapping(card)) return card;
  } catch (error) {
    throw new BotError(`${where}: is not a bot's JSON: ${error.message}`);
  }
  throw new BotError(`${where}: is not a bot's JSON: no object`);
}

function rulesOf(card, where) {
  try {
    return parseRules(card.rules);
  } catch (error) {
    throw new BotError(`${where}: ${error.message}`);
  }
}
