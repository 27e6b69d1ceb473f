/** What needs Node: bundles in folders, and programs that sit at a table as `cmd:node bot.js`. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PROTOCOL, STAMPS } from "./base/versions.js";
import { BuckError, quoted } from "./base/errors.js";
import { isMapping } from "./base/json.js";
import { loadBundle } from "./bots/bundle.js";
import { parseRules } from "./game/rules.js";

export const loadBundleFolder = (folder, options) => loadBundle((name) => readFile(join(folder, name)), options);

export async function runProgram(bot, { input = process.stdin, output = process.stdout } = {}) {
  const say = (message) => output.write(`${JSON.stringify(message)}\n`);
  let decide;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (decide) {
      say(await answer(decide, line));
    } else {
      decide = await deciderOf(bot, rulesOfGame(JSON.parse(line)));
      say({ protocol: PROTOCOL });
    }
  }
}

/** The rules of the game, once its first line is found to be of this protocol and these versions. */
function rulesOfGame(hello) {
  for (const [key, ours] of Object.entries({ protocol: PROTOCOL, ...STAMPS }))
    if ((hello[key] ?? (key === "protocol" ? undefined : ours)) !== ours)
      throw new BuckError(`the first line: ${key} is ${quoted(hello[key])}; allowed: ${quoted(ours)}`);
  return parseRules(hello.rules, "the first line: rules");
}

const deciderOf = (bot, rules) => (typeof bot === "function" ? bot : bot.start(rules));

async function answer(decide, line) {
  const { id = null, ...position } = JSON.parse(line);
  try {
    const decided = await decide(position);
    return { id, action: isMapping(decided) ? decided.action : decided };
  } catch (error) {
    return { id, error: error.message };
  }
}
