/** The bot that draws a legal action evenly. */

import { PHASES } from "../game/state.js";
import { decision, questionOf } from "./question.js";

export function random(rules = null) {
  const bot = { name: "random", rules, phases: PHASES, decide };
  return Object.freeze(bot);

  function decide(position) {
    const question = questionOf(position, bot);
    const { options, uniform } = question;
    return decision(question, options[Math.floor(uniform * options.length)], () => 1 / options.length);
  }
}
