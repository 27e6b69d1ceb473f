/** The shape of JSON values: a test for each key of an object, and the first key that fails. */

import { isMapping } from "./json.js";

export const isText = (value) => typeof value === "string";
export const isSwitch = (value) => typeof value === "boolean";
export const isNumber = (value) => Number.isFinite(value);
export const listOf = (test) => (value) => Array.isArray(value) && value.every(test);
export const orNull = (test) => (value) => value === null || test(value);
export const oneOf = (...words) => (value) => words.includes(value);
/** An object of these keys and no other; one whose name ends in a ? may be absent. */
export const shaped = (keys) => (value) => fault(value, keys) === null;

/** The first key that is missing, not of its kind, or unknown; null where all is right. */
export function fault(value, keys) {
  if (!isMapping(value)) return "the object";
  for (const [name, test] of Object.entries(keys)) {
    const key = name.replace("?", "");
    if (Object.hasOwn(value, key) ? !test(value[key]) : key === name) return key;
  }
  return Object.keys(value).find((key) => !Object.hasOwn(keys, key) && !Object.hasOwn(keys, `${key}?`)) ?? null;
}
