/** A program that plays: `buck tournament ohio 'agents=[rules-v1, "cmd:node bot.js"]'`, or `cmd:node bot.js BUNDLE`. */

import { loadBundleFolder, runProgram } from "buck-euchre/node";
import { decide } from "./decide.js";

const [folder] = process.argv.slice(2);
const start = async (rules) => (await loadBundleFolder(folder, { rules })).decide;
await runProgram(folder ? { start } : decide);
