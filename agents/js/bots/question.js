/** What a bot is asked: the sight of the seat to act, checked against what else the position says. */

import { BotError, RecordError, quoted } from "../base/errors.js";
import { same } from "../base/json.js";
import { actionText } from "../game/actions.js";
import { legal } from "../game/engine.js";
import { rulesName, sameRules } from "../game/rules.js";
import { sightOf } from "../observation/encode.js";
import { Table } from "../records/table.js";
import { legalTexts } from "../records/views.js";

/** The rules, the table as the seat to act sees it, its legal actions as numbers, and the number in [0, 1) for chance. */
export function questionOf(source, { name, rules, phases }) {
  const sight = sightOf(source);
  const { table, seat } = sight;
  const said = source instanceof Table || !source.view ? {} : source;
  if (table.phase === "over") throw new RecordError("position: the hand is over: no seat is to act");
  if (table.seat !== seat) throw new RecordError(`position: view: seat ${seat}, whose view it is, is not to act`);
  if (rules && !sameRules(rules, sight.rules))
    throw new BotError(`${name}: plays the rules ${rulesName(rules)}, not ${rulesName(sight.rules)}`);
  if (!phases.includes(table.phase)) throw new BotError(`${name}: has not learned the phase ${table.phase}; allowed: ${phases.join(", ")}`);
  for (const [key, fact] of Object.entries({ seat, phase: table.phase, legal: legalTexts(table, sight.rules) }))
    if (said[key] !== undefined && !same(said[key], fact))
      throw new RecordError(`position: ${key}: ${quoted(said[key])} is given, but by the view it is ${quoted(fact)}`);
  return { ...sight, options: legal(table, sight.rules), uniform: checkedUniform(said.uniform ?? Math.random()) };
}

function checkedUniform(uniform) {
  if (typeof uniform !== "number" || !(uniform >= 0 && uniform < 1))
    throw new RecordError(`position: uniform: ${quoted(uniform)} is not allowed; allowed: a number in [0, 1)`);
  return uniform;
}

/** A decision in words: the action, how likely the bot rated each option, and what it expects. */
export function decision({ table, options }, action, probabilities = null, value = null) {
  const text = (id) => actionText(id, table.phase);
  return {
    action: text(action),
    probabilities: probabilities && Object.fromEntries(options.map((option) => [text(option), probabilities(option)])),
    value,
  };
}
