/** Values compared as JSON: the order of an object's keys does not count. */

export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

export const isWhole = (value) => Number.isSafeInteger(value);
export const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
