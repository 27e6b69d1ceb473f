/** One seat's view of a table as int8, with suits as they are or relabelled: the bytes that Python writes. */

import { BuckError } from "../base/errors.js";
import { isMapping } from "../base/json.js";
import { NUM_ACTIONS } from "../game/actions.js";
import { SUIT, SUITS } from "../game/cards.js";
import { legal } from "../game/engine.js";
import { takenUp } from "../game/facts.js";
import { hide } from "../game/hidden.js";
import { ledCard } from "../game/playing.js";
import { toward } from "../game/rules.js";
import { CARD, NONE, PHASES, SEAT_SHIFT } from "../game/state.js";
import { Table } from "../records/table.js";
import { seenTable } from "../records/views.js";
import { canonicalSuits } from "./canonical.js";
import { PLAIN, relabelledAction, relabelledCard, relabelledCards } from "./labels.js";
import { AT, OBSERVATION_SIZE } from "./pieces.js";

/** The rules, the table as the seat sees it, and the seat, of a position, a view, or a table. */
export function sightOf(source, seat) {
  if (source instanceof Table) {
    const viewer = seat ?? source.seat ?? 0;
    return { rules: source.rules, table: hide(source.state(), source.rules, viewer), seat: viewer };
  }
  if (!isMapping(source)) throw new BuckError("position: is no position, no view and no table");
  return seenTable(source.view ? source : { view: source });
}

/** What a network sees of a position; with `canonical` suits are relabelled so that trump comes first. */
export function encode(source, { canonical = false, seat } = {}) {
  const sight = sightOf(source, seat);
  const labels = canonical ? canonicalSuits(sight.table, sight.rules, sight.seat) : PLAIN;
  return { ...encodeSight(sight, labels), suits: labels.slice(0, 4).map((label) => SUITS[label]).join("") };
}

/** Observation and mask with suits going by `labels`. */
export function encodeSight({ rules, table, seat }, labels) {
  const mask = new Int8Array(NUM_ACTIONS);
  if (table.seat === seat) for (const action of legal(table, rules)) mask[relabelledAction(action, labels)] = 1;
  const out = new Int8Array(OBSERVATION_SIZE);
  const place = (other) => (other - seat + rules.seats) % rules.seats;
  writeSeats(out, table, rules, place);
  writeContract(out, table, rules, labels, place);
  writeOwnCards(out, table, rules, labels, seat);
  writePlays(out, table, labels, place);
  return { observation: out, mask };
}

function writeSeats(out, table, rules, place) {
  const one = (at, seat) => seat !== NONE && (out[at + place(seat)] = 1);
  const set = (at, members) => {
    for (let seat = 0; seat < rules.seats; seat++) if ((members >> seat) & 1) out[at + place(seat)] = 1;
  };
  if (table.phase !== "over") out[AT.phase + PHASES.indexOf(table.phase)] = 1;
  one(AT.actor, table.seat);
  one(AT.dealer, table.dealer);
  one(AT.maker, table.maker);
  table.passed.forEach((members, i) => set(AT.passed + 4 * i, members));
  for (const name of ["exchanged", "kept", "stayed", "dropped", "reneged"]) set(AT[name], table[name]);
  table.bidders.forEach((seat, i) => one(AT.bids + 4 * i, seat));
}

/** The contract, the score, and how far the tricks have come. */
function writeContract(out, table, rules, labels, place) {
  if (table.contract > 0) out[AT.contract + table.contract - 1] = 1;
  if (table.trump !== NONE) out[AT.trump + labels[table.trump]] = 1;
  if (table.trump !== NONE && table.maker === NONE) out[AT.no_maker] = 1;
  if (table.phase === "play") out[AT.trick_number + table.trick] = 1;
  if (rules.hands !== null) out[AT.hands_left] = Math.max(0, Math.min(127, rules.hands - table.handsPlayed));
  for (let seat = 0; seat < rules.seats; seat++) {
    const toGo = toward(rules) * (rules.target - table.scores[seat]);
    out[AT.scores + place(seat)] = Math.max(-128, Math.min(127, toGo));
    if (table.tricks[seat] > 0) out[AT.tricks + 5 * place(seat) + table.tricks[seat] - 1] = 1;
  }
}

function writeCards(out, at, cards, labels) {
  for (let rest = relabelledCards(cards, labels); rest; rest &= rest - 1) out[at + 31 - Math.clz32(rest & -rest)] = 1;
}

function writeOwnCards(out, table, rules, labels, seat) {
  writeCards(out, AT.hand, table.hand[seat], labels);
  writeCards(out, AT.taken, takenUp(table, rules, seat), labels);
  writeCards(out, AT.laid, table.laid[seat], labels);
  if (seat === table.dealer)
    table.discards.forEach((card, i) => {
      if (card >= 0) out[AT.discards + relabelledCard(card, labels)] = i + 1;
    });
  if (rules.turn_up) out[AT.upcard + relabelledCard(table.rest[0], labels)] = 1;
}

function writePlays(out, table, labels, place) {
  let trick = -1;
  table.plays.forEach((play, i) => {
    if (i === table.starts[trick + 1]) trick++;
    const card = relabelledCard(play & CARD, labels);
    out[AT.played_by + 24 * place(play >> SEAT_SHIFT) + card] = 1;
    out[AT.played_in + 24 * trick + card] = 1;
    if (table.phase !== "over" && i >= table.starts[table.trick]) out[AT.trick + card] = 1;
  });
  if (table.phase !== "play") return;
  table.starts.forEach((start, i) => {
    if (start !== NONE && start < table.plays.length && i < 5) out[AT.leaders + 4 * i + place(table.plays[start] >> SEAT_SHIFT)] = 1;
  });
  const led = ledCard(table);
  if (led !== NONE) out[AT.led + labels[SUIT[table.trump][led]]] = 1;
}
