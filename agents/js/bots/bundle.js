/** A bundle, as `buck export` writes it, read and checked; and the bot that it holds. Reading runs no code. */

import { BotError } from "../base/errors.js";
import { rulesName, sameRules } from "../game/rules.js";
import { checkModel } from "../onnx/check.js";
import { parseModel } from "../onnx/model.js";
import { compileNetwork } from "../onnx/network.js";
import { openSession } from "../onnx/session.js";
import { OBSERVATION_SIZE } from "../observation/pieces.js";
import { parseCard } from "./card.js";
import { policyBot } from "./policy.js";

const CARD = "bot.json";
const MODEL = "model.onnx";
const SAMPLES = "samples.jsonl";
const SUMS = "SHA256SUMS";
const SUMMED = [CARD, MODEL, SAMPLES];
/** Bytes; a larger file of a bundle is refused. */
const LARGEST = 64 * 2 ** 20;

export async function loadBundle(files, { rules: asked, play, level, samples = true, onnxruntime } = {}) {
  const names = samples ? SUMMED : [CARD, MODEL];
  const [sums, ...read] = await Promise.all([SUMS, ...names].map((name) => readFile(files, name)));
  const wanted = parseSums(sums);
  const found = await Promise.all(read.map(checksum));
  names.forEach((name, i) => {
    if (found[i] !== wanted.get(name)) throw new BotError(`${name}: checksum is not the one in ${SUMS}: truncated or exchanged`);
  });
  const [card, model] = read;
  const { card: says, rules } = parseCard(card, CARD);
  if (asked && !sameRules(asked, rules)) throw new BotError(`${CARD}: was trained for the rules ${rulesName(rules)}, not for ${rulesName(asked)}`);
  const parsed = parseModel(model, MODEL);
  checkModel(parsed, says, MODEL);
  const rate = onnxruntime ? await openSession(onnxruntime, model, MODEL) : compileNetwork(parsed, OBSERVATION_SIZE, MODEL);
  const bot = policyBot({ card: says, rules, sha256: found[1], rate, waits: Boolean(onnxruntime) });
  const leveled = level === undefined ? bot : bot.at(level);
  return play === undefined ? leveled : leveled.at({ temperature: leveled.temperature, play });
}

async function readFile(files, name) {
  let bytes;
  try {
    bytes = typeof files === "function" ? await files(name) : files[name];
  } catch (error) {
    throw new BotError(`${name}: cannot be read: ${error.message}`);
  }
  if (!bytes) throw new BotError(`${name}: is not there; a bundle is a folder that \`buck export\` wrote, with ${SUMMED.join(", ")} and ${SUMS}`);
  if (bytes.byteLength > LARGEST) throw new BotError(`${name}: is larger than ${LARGEST / 2 ** 20} MiB; no bundle's file is`);
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
}

async function checksum(bytes) {
  if (!globalThis.crypto?.subtle) throw new BotError("bundle: checksums need crypto.subtle, which a page has that comes by https or from localhost");
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The checksum of each file. */
function parseSums(bytes) {
  const lines = new TextDecoder().decode(bytes).trim().split(/\r?\n/);
  const pairs = lines.map((line) => /^([0-9a-fA-F]{64})\s+\*?(\S+)\s*$/.exec(line));
  if (pairs.includes(null)) throw new BotError(`${SUMS}: is not a list of checksums, one \`SHA256  FILE\` a line`);
  const sums = new Map(pairs.map(([, digest, name]) => [name, digest.toLowerCase()]));
  if (pairs.length !== SUMMED.length || !SUMMED.every((name) => sums.has(name)))
    throw new BotError(`${SUMS}: lists ${[...sums.keys()].join(", ")}; allowed: ${SUMMED.join(", ")}, each once`);
  return sums;
}
