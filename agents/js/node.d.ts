/** What needs Node: bundles in folders, and programs that sit at a table as `cmd:node bot.js`. */

import type { BundleBot, BundleOptions, Decide } from "./index.js";

/** The bot of a bundle's folder. */
export function loadBundleFolder(folder: string, options?: BundleOptions): Promise<BundleBot>;

/**
 * Answer for a bot in the protocol of `cmd:`, until the input ends. `start` is given the rules of the game, from the
 * first line, and returns whoever decides; a function of a position does where it needs no rules.
 */
export function runProgram(
  start: Decide | { start(rules: import("./index.js").Rules): Decide | Promise<Decide> },
  streams?: { input?: NodeJS.ReadableStream; output?: NodeJS.WritableStream },
): Promise<void>;
