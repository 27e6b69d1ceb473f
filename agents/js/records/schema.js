/** The form of hand records, one JSON object a line: what is no record, and why. */

import { RecordError, quoted } from "../base/errors.js";
import { isMapping, isWhole } from "../base/json.js";
import { fault, isSwitch, isText, listOf, orNull, shaped } from "../base/shape.js";
import { parseRules } from "../game/rules.js";

const isSmall = (value) => isWhole(value) && value >= -(2 ** 31) && value < 2 ** 31;
const STEP = { seat: isWhole, phase: isText, "legal?": listOf(isText), action: isText };
const RESULT = {
  redeal: isSwitch, maker: orNull(isWhole), trump: orNull(isText),
  stayed: listOf(isSwitch), tricks: listOf(isWhole), deltas: listOf(isSmall),
  scores: listOf(isSmall), winners: listOf(isWhole),
};
const RECORD = {
  rules: (value) => isText(value) || isMapping(value), dealer: isWhole, scores: listOf(isSmall),
  hands: listOf(orNull(listOf(isText))), rest: listOf(orNull(isText)), steps: listOf(shaped(STEP)),
  "result?": shaped(RESULT), "match?": shaped({ id: isText, hand: isWhole }),
};

/** A value as a hand record or a view, its form checked, its cards not yet. */
export function checkRecord(value, where = "record") {
  const key = fault(value, RECORD);
  if (key !== null) throw new RecordError(`${where}: ${key}: is missing, unknown, or not of the form that hand records have`);
  return value;
}

export function parseRecord(line, where = "record") {
  let value;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new RecordError(`${where}: not one JSON object: ${error.message}`);
  }
  return checkRecord(value, where);
}

export const parseRecords = (text, where = "records") =>
  text.split("\n").flatMap((line, i) => (line.trim() ? [parseRecord(line, `${where}:${i + 1}`)] : []));

export const formatRecords = (records) => [...records].map((record) => `${JSON.stringify(record)}\n`).join("");

/** The rules of a record: a profile's, or a mapping's. */
export function rulesOf(record, where = "record") {
  try {
    return parseRules(record.rules, `${where}: rules`);
  } catch (error) {
    throw new RecordError(error.message);
  }
}

/** RecordError where a value of a record is not the engine's. */
export function differs(where, what, recorded, found) {
  throw new RecordError(`${where}: ${what}: the record has ${quoted(recorded)}, the engine ${quoted(found)}`);
}
