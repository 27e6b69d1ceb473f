/** `rules-v1`: the hand-written player of agents/rules_v1 in Python, number by number; each file is named as there. */

import { decision, questionOf } from "../bots/question.js";
import { PHASES } from "../game/state.js";
import { bestCard } from "./card_play.js";
import { bestBeforePlay } from "./making.js";
import { weighStakes } from "./stakes.js";

export function rulesV1(rules = null) {
  const bot = { name: "rules-v1", rules, phases: PHASES, decide: (position) => chosen(questionOf(position, bot)) };
  return Object.freeze(bot);
}

function chosen(question) {
  const { table, rules, seat, options } = question;
  if (options.length === 1) return decision(question, options[0]);
  const stakes = weighStakes(table, rules, seat);
  return decision(question, (table.phase === "play" ? bestCard : bestBeforePlay)(table, rules, seat, options, stakes));
}
