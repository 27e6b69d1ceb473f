/** Hands until somebody has won, dealt as the environments deal them; and records confirmed one after the other. */

import { RecordError } from "../base/errors.js";
import { same } from "../base/json.js";
import { left } from "../game/bits.js";
import { rulesName, sameRules } from "../game/rules.js";
import { drawSeed } from "../game/shuffle.js";
import { checkRecord, differs, rulesOf } from "./schema.js";
import { Table } from "./table.js";

export const MAX_HANDS = 200;

export class Match {
  #tables = [];
  #maxHands;

  constructor(rules, { seed = drawSeed(), id, maxHands = MAX_HANDS, dealer } = {}) {
    this.rules = rules;
    this.seed = BigInt.asUintN(64, BigInt(seed));
    this.id = id === undefined ? `${rules.base}-${this.seed}` : id;
    this.#maxHands = maxHands;
    const first = dealer ?? (rules.first_dealer === "random" ? undefined : rules.first_dealer);
    this.#tables.push(Table.deal(rules, { seed: this.seed, dealer: first }));
  }

  static fromRecords(records, { seed = drawSeed(), maxHands = MAX_HANDS } = {}) {
    if (!records.length) throw new RecordError("records: there are none");
    const tables = [];
    const chain = new Chain();
    records.forEach((record, i) => tables.push(chain.confirm(record, `record ${i + 1}`, i < records.length - 1)));
    const match = new Match(tables[0].rules, { seed, id: records[0].match?.id ?? null, maxHands, dealer: tables[0].dealer });
    match.#tables = tables;
    return match;
  }

  get table() { return this.#tables.at(-1); }
  get number() { return this.#tables.length - 1; }
  get finished() { return this.#tables.filter((table) => table.over); }
  get winners() { return this.table.winners; }
  get truncated() { return this.table.over && !this.winners.length && this.#maxHands !== null && this.#tables.length >= this.#maxHands; }
  get over() { return this.winners.length > 0 || this.truncated; }
  get shares() { return this.table.scores.map((_, seat) => (this.winners.includes(seat) ? 1 / this.winners.length : 0)); }

  next() {
    const { table, rules } = this;
    if (!table.over) throw new RecordError("match: the hand in progress is not over");
    if (this.over) throw new RecordError("match: it is over");
    const place = { dealer: left(table.dealer, rules, 1), scores: table.scores, handsPlayed: table.handsPlayed };
    this.#tables.push(Table.deal(rules, { seed: this.seed, number: this.#tables.length, ...place }));
    return this.table;
  }

  undo(steps = 1) {
    this.#tables[this.#tables.length - 1] = this.table.at(Math.max(0, this.table.steps.length - steps));
    return this.table;
  }

  records() { return this.#tables.map((table, hand) => table.record(this.id === null ? undefined : { id: this.id, hand })); }
}

/** A match as far as its hands have been confirmed. */
class Chain {
  #last = null;
  #number = 0;

  /** The table of the next record, replayed and held to the one before. */
  confirm(record, where, whole) {
    checkRecord(record, where);
    const rules = rulesOf(record, where);
    const last = this.#last;
    if (record.match && record.match.hand !== this.#number) differs(where, "hand", record.match.hand, this.#number);
    if (last?.winners.length) throw new RecordError(`${where}: hand ${this.#number} follows a hand that has winners`);
    if (last && !sameRules(last.rules, rules)) throw new RecordError(`${where}: rules: ${rulesName(rules)} are not those of hand 0`);
    const single = !record.match; // a hand without a match may be any of one
    const scores = last ? last.scores : single ? record.scores : Array(rules.seats).fill(rules.start);
    if (!same(record.scores, scores)) differs(where, "scores", record.scores, scores);
    const first = single || rules.first_dealer === "random" ? record.dealer : rules.first_dealer;
    const dealer = last ? left(last.dealer, rules, 1) : first;
    if (record.dealer !== dealer) differs(where, "dealer", record.dealer, dealer);
    this.#last = checked(record, where, last?.handsPlayed ?? 0, whole);
    this.#number++;
    return this.#last;
  }

  get over() { return this.#last.winners.length > 0; }
}

/** A record replayed, its result the engine's; `whole` where it must be over. */
function checked(record, where, handsPlayed, whole) {
  const table = Table.fromRecord(record, handsPlayed, where);
  if (whole && !table.over) throw new RecordError(`${where}: the steps end, but seat ${table.seat} has to ${table.phase}; legal: ${table.legal().join(", ")}`);
  if (whole && !record.result) throw new RecordError(`${where}: result is missing`);
  if (record.result && (!table.over || !same(record.result, table.result()))) differs(where, "result", record.result, table.over ? table.result() : null);
  return table;
}

export function verifyRecords(records, where = "records") {
  const chains = new Map();
  let count = 0;
  for (const record of records) {
    const place = `${where}:${++count}`;
    const id = checkRecord(record, place).match?.id;
    record.steps.forEach((step, i) => {
      if (!step.legal) throw new RecordError(`${place}: step ${i}: legal is missing`);
    });
    if (id === undefined) {
      alone(record, place, true);
    } else {
      if (!chains.has(id)) chains.set(id, new Chain());
      chains.get(id).confirm(record, `${place}: match ${id}`, true);
    }
  }
  for (const [id, chain] of chains) if (!chain.over) throw new RecordError(`${where}: match ${id}: ends without winners`);
  return count;
}

export function confirmRecord(record, where = "record") {
  return alone(checkRecord(record, where), where, false);
}

/** A hand of a match that has a number of hands may be the last of them or not: its winners decide. */
function alone(record, place, whole) {
  const { hands } = rulesOf(record, place);
  try {
    return checked(record, place, 0, whole);
  } catch (error) {
    if (!(error instanceof RecordError) || hands === null) throw error;
    return checked(record, place, hands - 1, whole);
  }
}
