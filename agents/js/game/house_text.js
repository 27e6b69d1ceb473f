/** House rules as a text: JSON, or the part of YAML that such a file needs, one flat mapping of scalars. */

import { RulesError } from "../base/errors.js";
import { isMapping } from "../base/json.js";
import { parseRules } from "./rules.js";

const LONGEST = 100_000;

/** The rules of a house-rules file: lines of `key: value`, `{key: value, …}`, or JSON. RulesError names the line. */
export function parseHouseRules(text, where = "house rules") {
  if (text.length > LONGEST) throw new RulesError(`${where}: is longer than ${LONGEST} characters`);
  const values = fromJson(text) ?? fromLines(text, where);
  if (!isMapping(values)) throw new RulesError(`${where}: holds no mapping; allowed: lines of \`key: value\``);
  return parseRules(values, where);
}

function fromJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromLines(text, where) {
  const values = {};
  text.replace(/^\uFEFF/, "").split(/\r?\n/).forEach((whole, i) => {
    const place = `${where}, line ${i + 1}`;
    const line = uncommented(whole).trimEnd();
    if (line === "" || line === "---") return;
    if (/^\s*\{.*\}$/.test(line)) line.trim().slice(1, -1).split(",").forEach((pair) => add(values, pair, place));
    else add(values, line, place);
  });
  return values;
}

/** A line up to its comment, which begins with a # at its start or after a blank, and not within quotation marks. */
const uncommented = (line) => /^(?:"[^"]*"|'[^']*'|(?<!\s)#|[^#])*/.exec(/^\s*#/.test(line) ? "" : line)[0];

function add(values, line, place) {
  const pair = /^\s*("[^"]*"|'[^']*'|[\w-]+)\s*:(?:\s+(.*?))?\s*$/.exec(line);
  if (!pair) throw new RulesError(`${place}: ${line.trim()} is no \`key: value\``);
  const key = scalar(pair[1]);
  if (Object.hasOwn(values, key)) throw new RulesError(`${place}: the key ${key} stands twice`);
  values[key] = scalar(pair[2] ?? "");
}

/** A scalar as YAML 1.2 reads it. */
function scalar(text) {
  if (/^(".*"|'.*')$/.test(text)) return text.slice(1, -1);
  if (/^(|~|null|Null|NULL)$/.test(text)) return null;
  if (/^(true|True|TRUE)$/.test(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  return /^[-+]?[0-9]+$/.test(text) ? Number(text) : text;
}
