/** A seat's view of a hand record, and the table, as that seat sees it, that the view stands for. */

import { RecordError, quoted } from "../base/errors.js";
import { isMapping, isWhole, same } from "../base/json.js";
import { fault, isNumber, isText, listOf } from "../base/shape.js";
import { PASS, actionId, actionText } from "../game/actions.js";
import { CARDS } from "../game/cards.js";
import { deal } from "../game/dealing.js";
import { apply, applySeenPlay, legal, permitted } from "../game/engine.js";
import { shownBeside } from "../game/facts.js";
import { hide } from "../game/hidden.js";
import { follows } from "../game/playing.js";
import { CARD, HIDDEN } from "../game/state.js";
import { checkPlace, packOf } from "./deals.js";
import { checkRecord, differs, rulesOf } from "./schema.js";

/** The legal set of a table as record texts, sorted as ASCII strings. */
export const legalTexts = (table, rules) => legal(table, rules).map((action) => actionText(action, table.phase)).sort();

/** The record as `seat` knows it after so many steps, with `discard:?` and null for the rest (RULES §14.6). */
export function viewOf(record, seat, steps = record.steps.length) {
  const rules = rulesOf(record, "view");
  if (!isWhole(seat) || seat < 0 || seat >= rules.seats) throw new RecordError(`view: ${quoted(seat)} is no seat; allowed: 0 to ${rules.seats - 1}`);
  const done = record.steps.slice(0, steps);
  const exchangers = done.filter((step) => step.action === "exchange").map((step) => step.seat);
  const place = exchangers.indexOf(seat);
  const before = place > 0 ? exchangers[place - 1] : seat; // who laid down the hand that this seat took
  const shown = shownBeside(rules, seat === record.dealer, place === 0);
  const view = {
    rules: record.rules,
    dealer: record.dealer,
    scores: record.scores,
    hands: record.hands.map((hand, holder) => (holder === seat || holder === before ? hand : null)),
    rest: record.rest.map((card, i) => (i < shown ? card : null)),
    steps: done.map((step) => stepSeen(step, seat)),
  };
  return record.match ? { ...view, match: record.match } : view;
}

function stepSeen(step, seat) {
  if (step.seat === seat) return step;
  return { seat: step.seat, phase: step.phase, action: step.phase === "discard" ? "discard:?" : step.action };
}

const POSITION = {
  view: isMapping, "seat?": isWhole, "phase?": isText, "legal?": listOf(isText), "hands_played?": isWhole,
  "reneged?": listOf(isWhole), "uniform?": isNumber,
};

/** The rules of a position, the table as its seat sees it, and that seat. RecordError where the steps contradict the rules. */
export function seenTable(position, where = "position") {
  const wrong = fault(position, POSITION);
  if (wrong) throw new RecordError(`${where}: ${wrong}: is missing, unknown, or not of the form that positions have`);
  const view = checkRecord(position.view, `${where}: view`);
  const rules = rulesOf(view, `${where}: view`);
  const seat = viewer(view, where);
  const handsPlayed = position.hands_played ?? 0;
  checkPlace(rules, view.dealer, view.scores, handsPlayed, `${where}: view`);
  const { hands, rest } = filled(view);
  const table = deal(rules, packOf(rules, hands, rest, `${where}: view`), view.dealer, view.scores, handsPlayed);
  let ends = consistent(view, rules, table, 0, seat, `${where}: view`).map((end) => hide(end, rules, seat));
  if (position.reneged) {
    const reneged = position.reneged.reduce((seats, other) => seats | (1 << other), 0);
    ends = ends.filter((end) => end.reneged === reneged);
    if (!ends.length) throw new RecordError(`${where}: reneged: ${quoted(position.reneged)} are not the seats whose cards did not follow`);
  }
  if (ends.some((end) => !same(end, ends[0]))) throw new RecordError(`${where}: the steps do not show whether a card that did not follow was a renege`);
  return { rules, table: ends[0], seat };
}

/** Whose view it is: the one hand that is seen, or the later taker of a hand laid down, who sees two. */
function viewer(view, where) {
  const seen = view.hands.flatMap((hand, seat) => (hand ? [seat] : []));
  const takers = view.steps.filter((step) => step.action === "exchange" && seen.includes(step.seat)).map((step) => step.seat);
  if (seen.length === 1) return seen[0];
  if (seen.length === 2 && takers.length >= 2) return takers.at(-1);
  throw new RecordError(`${where}: view: hands: a seat's view shows that seat's hand and no other, not ${seen.length}`);
}

/** The view with every unseen card put somewhere; `hide` takes them out again. */
function filled(view) {
  const seen = new Set([...view.hands, view.rest].flatMap((cards) => cards ?? []).map((card) => card?.replace("10", "T")));
  const unseen = CARDS.filter((card) => !seen.has(card));
  const next = () => unseen.shift() ?? "none";
  return { hands: view.hands.map((hand) => hand ?? [1, 2, 3, 4, 5].map(next)), rest: view.rest.map((card) => card ?? next()) };
}

/** The tables to which the steps from `start` on can lead: more than one only where a renege is not yet plain. */
function consistent(view, rules, table, start, seat, where) {
  for (let number = start; number < view.steps.length; number++) {
    const step = view.steps[number];
    const place = `${where}: step ${number}`;
    if (step.phase !== table.phase) differs(place, "phase", step.phase, table.phase);
    if (step.seat !== table.seat) differs(place, "seat", step.seat, table.seat);
    const own = step.seat === seat;
    if (!own && step.phase === "discard") {
      apply(table, rules, HIDDEN);
      continue;
    }
    const action = actionId(step.action, step.phase);
    if (action === undefined || (step.phase === "play" && action >= PASS)) throw new RecordError(`${place}: ${quoted(step.action)} is no action of the phase ${step.phase}`);
    if (own && step.legal && !same(step.legal, legalTexts(table, rules))) differs(place, "legal", step.legal, legalTexts(table, rules));
    if (own || step.phase !== "play") {
      const allowed = own ? permitted(table, rules) : legal(table, rules);
      if (!allowed.includes(action)) throw new RecordError(`${place}: ${step.action} is not legal: ${legalTexts(table, rules).join(", ")}`);
      apply(table, rules, action);
      continue;
    }
    const elsewhere = table.plays.some((play) => (play & CARD) === action) || (table.hand[seat] >> action) & 1 || table.discards.includes(action);
    if (elsewhere) throw new RecordError(`${place}: ${CARDS[action]} is elsewhere: the viewer holds it or it has been played`);
    if (rules.illegal_play === "renege" && !follows(table, action)) return either(view, rules, table, number, seat, where, action);
    applySeenPlay(table, rules, action, false);
  }
  return [table];
}

/** A card that did not follow: the tables it can lead to as a renege, and as none. */
function either(view, rules, table, number, seat, where, action) {
  const ends = [];
  let fault = null;
  for (const reneges of [false, true]) {
    const copy = structuredClone(table);
    applySeenPlay(copy, rules, action, reneges);
    try {
      ends.push(...consistent(view, rules, copy, number + 1, seat, where));
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      fault ??= error;
    }
  }
  if (!ends.length) throw fault;
  return ends;
}
