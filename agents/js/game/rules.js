/** The rules of a house: every field, its profiles, and what cannot be played. */

import { RulesError, quoted } from "../base/errors.js";
import { isMapping, isWhole } from "../base/json.js";

const whole = (low, high, otherwise, { words = [], optional = false } = {}) =>
  ({ kind: "number", low, high, words, optional, default: otherwise });
const words = (...choices) => ({ kind: "words", words: choices, optional: false, default: choices[0] });
const toggle = (otherwise) => ({ kind: "switch", words: [], optional: false, default: otherwise });
const DECLARED = {
  seats: whole(3, 4, 4),
  start: whole(-1000, 1000, 25),
  target: whole(-1000, 1000, 0),
  hands: whole(1, 100000, null, { optional: true }),
  target_in_hands: toggle(false),
  sweep_wins: toggle(true),
  tie: words("share", "eldest", "play_on"),
  first_dealer: whole(0, 3, "random", { words: ["random"] }),
  turn_up: toggle(true),
  forced_clubs: toggle(true),
  exchange: words("none", "first", "every"),
  making: words("order", "bid", "dealer"),
  pick_up: toggle(true),
  discard: words("before_stay", "after_stay"),
  discard_upcard: toggle(true),
  no_trump: toggle(false),
  bid_min: whole(1, 8, 2),
  bid_max: whole(1, 8, 5),
  bid_circuits: words("one", "many"),
  all_pass: { ...words("redeal", "no_trump", "stick_dealer"), default: "no_trump" },
  turned_down: words("nobody", "dealer", "anyone"),
  may_drop: toggle(true),
  stay_from: words("maker", "dealer"),
  forced_stay: whole(-1000, 1000, null, { optional: true }),
  walkover: words("tricks", "points", "nothing"),
  walkover_points: whole(-100, 100, 5),
  made_contract: words("tricks", "bid"),
  lead: words("dealer", "maker"),
  illegal_play: words("refuse", "renege"),
  maker_needs: whole(0, 5, 3, { words: ["bid"] }),
  stayer_needs: whole(0, 5, 1),
  maker_penalty: whole(0, 100, 5),
  stayer_penalty: whole(0, 100, 5),
  renege_penalty: whole(0, 100, 5),
  drop_points: whole(-100, 100, 0),
};

/** Every field but `base`, in order: what it admits and its value in `ohio`. */
export const FIELDS = Object.freeze(Object.entries(DECLARED).map(([name, field]) => Object.freeze({ name, ...field })));

const BUCKED = { start: 0, target: 10, sweep_wins: false, forced_clubs: false, pick_up: false, all_pass: "redeal", stayer_needs: 3 };
const DIFFERENCES = {
  ohio: {},
  "stick-the-dealer": {
    start: 0, target: 15, sweep_wins: false, turn_up: false, forced_clubs: false, making: "dealer", pick_up: false,
    no_trump: true, may_drop: false, maker_needs: 1,
  },
  "dirty-clubs": {
    start: 15, sweep_wins: false, making: "bid", pick_up: false, all_pass: "redeal", lead: "maker", maker_needs: "bid",
  },
  bucked: BUCKED,
  "bucked-3": { ...BUCKED, seats: 3 },
  cutthroat: {
    seats: 3, start: 15, sweep_wins: false, turn_up: false, forced_clubs: false, exchange: "first", making: "bid",
    pick_up: false, no_trump: true, bid_min: 1, bid_max: 8, bid_circuits: "many", all_pass: "redeal", forced_stay: 5,
    lead: "maker", maker_needs: "bid",
  },
};
const OHIO = Object.fromEntries(FIELDS.map((field) => [field.name, field.default]));

/** The profiles by name (RULES §15.1). */
export const PROFILES = Object.freeze(
  Object.fromEntries(Object.entries(DIFFERENCES).map(([base, different]) => [base, Object.freeze({ base, ...OHIO, ...different })])),
);
const BASES = Object.keys(PROFILES).join(", ");

/** The rules of a profile or a mapping with a `base`; RulesError begins with `where` (RULES §15.2). */
export function parseRules(source, where = "rules") {
  if (typeof source === "string" && Object.hasOwn(PROFILES, source)) return PROFILES[source];
  if (!isMapping(source)) throw new RulesError(`${where}: ${quoted(source)} is not known; allowed: ${BASES}, or a mapping with a \`base\``);
  const { base, ...values } = source;
  if (base === undefined) throw new RulesError(`${where}: says no base; add one, as in \`base: ohio\`; allowed: ${BASES}`);
  if (typeof base !== "string" || !Object.hasOwn(PROFILES, base))
    throw new RulesError(`${where}: base: ${quoted(base)} is not a profile; allowed: ${BASES}`);
  for (const [key, value] of Object.entries(values)) {
    if (!Object.hasOwn(DECLARED, key))
      throw new RulesError(`${where}: ${key}: ${quoted(value)} is set, but there is no such key; allowed: ${Object.keys(DECLARED).join(", ")}`);
    if (!admits(DECLARED[key], value)) refuse(where, key, value, inWords(DECLARED[key]));
  }
  const rules = Object.freeze({ ...PROFILES[base], ...values });
  checkPossible(rules, where);
  return rules;
}

function admits(field, value) {
  if (value === null) return field.optional;
  if (field.kind === "switch") return typeof value === "boolean";
  if (typeof value === "string") return field.words.includes(value);
  return field.kind === "number" && isWhole(value) && value >= field.low && value <= field.high;
}

function inWords(field) {
  if (field.kind === "switch") return "true or false";
  if (field.kind === "words") return field.words.join(", ");
  return [...field.words, `a whole number from ${field.low} to ${field.high}`, ...(field.optional ? ["null"] : [])].join(", or ");
}

function refuse(where, key, value, allowed) {
  throw new RulesError(`${where}: ${key}: ${quoted(value)} is not allowed; allowed: ${allowed}`);
}

/** What fields do not allow together. */
function checkPossible(rules, where) {
  const orders = rules.making === "order";
  const bids = rules.making === "bid";
  const stuck = rules.making === "dealer";
  const widow = rules.seats === 3 && bids && !rules.turn_up;
  const elsewhere = `where making is ${rules.making}`;
  for (const [wrong, key, allowed] of [
    [rules.start === rules.target, "target", `a score other than start (${rules.start})`],
    [rules.first_dealer !== "random" && rules.first_dealer >= rules.seats, "first_dealer", `random, or a seat 0..${rules.seats - 1}`],
    [orders && !rules.turn_up, "turn_up", "true where making is order"],
    [stuck && rules.turn_up, "turn_up", "false where making is dealer"],
    [rules.forced_clubs && !rules.turn_up, "forced_clubs", "false where nothing is turned (turn_up: false)"],
    [rules.exchange !== "none" && !widow, "exchange", "none, unless seats is 3, making is bid and turn_up is false"],
    [rules.pick_up && !orders, "pick_up", `false ${elsewhere}`],
    [!rules.discard_upcard && !rules.pick_up, "discard_upcard", "true where pick_up is false"],
    [rules.turned_down !== "nobody" && !orders, "turned_down", `nobody ${elsewhere}`],
    [rules.all_pass === "stick_dealer" && !orders, "all_pass", `redeal, no_trump ${elsewhere}`],
    [rules.made_contract === "bid" && !bids, "made_contract", `tricks ${elsewhere}`],
    [(rules.maker_needs === "bid") !== bids, "maker_needs", "bid where making is bid, and a number of tricks 0..5 elsewhere"],
    [rules.bid_min > rules.bid_max, "bid_min", `at most bid_max (${rules.bid_max})`],
    [rules.may_drop && stuck, "may_drop", "false where making is dealer (there is no maker to leave alone)"],
    [rules.target_in_hands && rules.hands === null, "target_in_hands", "false, unless hands is set"],
  ])
    if (wrong) refuse(where, key, rules[key], allowed);
}

/** The fields that differ from the base profile. */
const differences = (rules) => FIELDS.map(({ name }) => [name, rules[name]]).filter(([name, value]) => value !== PROFILES[rules.base][name]);

/** The rules as a hand record names them: the profile, or `{base, …what differs}`. */
export function rulesRecord(rules) {
  const different = differences(rules);
  return different.length ? { base: rules.base, ...Object.fromEntries(different) } : rules.base;
}

export const rulesName = (rules) => [rules.base, ...differences(rules).map(([name, value]) => `${name} ${value}`)].join(", ");

export const formatHouseRules = (rules) => `base: ${rules.base}\n${differences(rules).map(([name, value]) => `${name}: ${value}\n`).join("")}`;

export const sameRules = (a, b) => a.base === b.base && FIELDS.every(({ name }) => a[name] === b[name]);

/** The phases in which rules may ask for a decision, in the order of a hand. */
export function phasesOf(rules) {
  const asked = {
    exchange: rules.exchange !== "none",
    order: rules.making === "order",
    call: rules.making === "order",
    bid: rules.making === "bid",
    discard: rules.pick_up || rules.making === "dealer",
    name: rules.making !== "order",
    stay: rules.may_drop,
    play: true,
  };
  return Object.keys(asked).filter((phase) => asked[phase]);
}

/** +1 where scores run up to the target, -1 where they run down. */
export const toward = (rules) => (rules.target > rules.start ? 1 : -1);
