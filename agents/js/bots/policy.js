/** A bot that plays a policy: its likeliest legal action, or one drawn by the probabilities. */

import { BotError, quoted } from "../base/errors.js";
import { canonicalSuits } from "../observation/canonical.js";
import { encodeSight } from "../observation/encode.js";
import { PLAIN, relabelledAction } from "../observation/labels.js";
import { logSoftmax } from "../onnx/network.js";
import { decision, questionOf } from "./question.js";

/** The bot of a bundle; `waits`: whether `rate` returns promises, and therefore `decide` too. */
export function policyBot({ card, rules, sha256, rate, waits }, { play = card.play, temperature = card.temperature } = {}) {
  const name = `bundle:${card.rules.base}`;
  const asked = { name, rules, phases: card.phases };

  function at(how) {
    const { play: style = play, temperature: heat } = typeof how === "string" ? settingsOf(card, how) : how;
    if (!["greedy", "sampled"].includes(style)) throw new BotError(`${name}: play: ${quoted(style)} is not allowed; allowed: greedy, sampled`);
    if (!(Number.isFinite(heat) && heat > 0)) throw new BotError(`${name}: temperature: ${quoted(heat)} is not allowed; allowed: a number above 0`);
    return policyBot({ card, rules, sha256, rate, waits }, { play: style, temperature: heat });
  }

  const policy = ({ observation, mask }) => after(rate(observation, mask), tempered);

  /** The model's answer at this bot's temperature: the model has divided its logits by the card's. */
  function tempered({ logProbabilities, value }) {
    if (temperature === card.temperature) return { logProbabilities, value };
    const logits = logProbabilities.map((one) => (one * card.temperature) / temperature);
    return { logProbabilities: logSoftmax(logits), value };
  }

  function decide(position) {
    const question = questionOf(position, asked);
    const labels = card.canonical ? canonicalSuits(question.table, question.rules, question.seat) : PLAIN;
    return after(policy(encodeSight(question, labels)), (rated) => chosen(question, labels, rated));
  }

  function chosen(question, labels, { logProbabilities, value }) {
    const likely = (action) => Math.exp(logProbabilities[relabelledAction(action, labels)]);
    const options = question.options.toSorted((a, b) => relabelledAction(a, labels) - relabelledAction(b, labels));
    const total = options.reduce((sum, action) => sum + likely(action), 0);
    if (!(total > 0)) throw new BotError(`${name}: the model gives no probabilities here`);
    const action = play === "sampled" ? drawn(options, likely, question.uniform * total) : likeliest(options, likely);
    return decision(question, action, likely, value);
  }

  const levels = card.levels.map(({ level }) => level);
  return Object.freeze({ name, rules, phases: card.phases, card, sha256, play, temperature, levels, at, policy, decide });

  function after(result, then) {
    return waits ? result.then(then) : then(result);
  }
}

const likeliest = (options, likely) => options.reduce((best, action) => (likely(action) > likely(best) ? action : best));

/** The first action at which the running sum of the probabilities exceeds a bound. */
function drawn(options, likely, bound) {
  let below = 0;
  return options.find((action) => (below += likely(action)) > bound) ?? options.at(-1);
}

/** How a level that the card lists plays: one that never departs from the likeliest action is greedy. */
function settingsOf(card, level) {
  const listed = card.levels.find((other) => other.level === level);
  if (!listed) throw new BotError(`bundle: lists no level ${quoted(level)}; allowed: ${card.levels.map((other) => other.level).join(", ") || "none"}`);
  return { temperature: listed.temperature, play: listed.departs > 0 ? "sampled" : "greedy" };
}
