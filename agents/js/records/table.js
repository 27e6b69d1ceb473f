/** One hand from the deal until it is scored: the checked door to the engine, and its record. */

import { IllegalActionError, RecordError, quoted } from "../base/errors.js";
import { same } from "../base/json.js";
import { actionId, actionText } from "../game/actions.js";
import { seatsIn } from "../game/bits.js";
import { CARDS, SUIT, TRUMPS, cardsIn } from "../game/cards.js";
import { deal } from "../game/dealing.js";
import { apply, permitted } from "../game/engine.js";
import { needs, turnedDown } from "../game/facts.js";
import { winnerOf } from "../game/playing.js";
import { rulesRecord } from "../game/rules.js";
import { matchEnd, scored } from "../game/scoring.js";
import { drawDealer, shuffle } from "../game/shuffle.js";
import { CARD, IN_AUCTION, IN_CALL, IN_ORDER, NONE, SEAT_SHIFT } from "../game/state.js";
import { checkPlace, packOf } from "./deals.js";
import { checkRecord, differs, rulesOf } from "./schema.js";
import { legalTexts, viewOf } from "./views.js";
import { refusal, whyNot } from "./why_not.js";

const orNull = (value) => (value === NONE ? null : value);

export class Table {
  #state;
  #pack;
  #start; // scores at the deal
  #before; // hands played at the deal
  #steps = [];

  constructor(rules, pack, dealer, scores, handsPlayed) {
    this.rules = rules;
    this.#pack = pack;
    this.#start = [...scores];
    this.#before = handsPlayed;
    this.#state = deal(rules, pack, dealer, scores, handsPlayed);
  }

  static deal(rules, { hands, rest, seed, number = 0, dealer, scores, handsPlayed = 0 }) {
    const drawn = seed !== undefined;
    const pack = drawn ? shuffle(seed, number) : packOf(rules, hands, rest);
    const place = dealer ?? (drawn ? drawDealer(seed, number, rules.seats) : 0);
    const totals = scores ?? Array(rules.seats).fill(rules.start);
    checkPlace(rules, place, totals, handsPlayed);
    return new Table(rules, pack, place, totals, handsPlayed);
  }

  static fromRecord(value, handsPlayed = 0, where = "record") {
    const record = checkRecord(value, where);
    const rules = rulesOf(record, where);
    checkPlace(rules, record.dealer, record.scores, handsPlayed, where);
    const table = new Table(rules, packOf(rules, record.hands, record.rest, where), record.dealer, record.scores, handsPlayed);
    record.steps.forEach((step, i) => table.#replay(step, `${where}: step ${i}`));
    return table;
  }

  #replay(step, place) {
    if (this.over) throw new RecordError(`${place}: ${step.action} by seat ${step.seat}, but the hand is over`);
    if (step.phase !== this.phase) differs(place, "phase", step.phase, this.phase);
    if (step.seat !== this.seat) differs(place, "seat", step.seat, this.seat);
    if (step.legal && !same(step.legal, this.legal())) differs(place, "legal", step.legal, this.legal());
    try {
      this.apply(step.action);
    } catch (error) {
      throw error instanceof IllegalActionError ? new RecordError(`${place}: ${error.message}`) : error;
    }
  }

  get dealer() { return this.#state.dealer; }
  get seat() { return orNull(this.#state.seat); }
  get phase() { return this.#state.phase; }
  get over() { return this.#state.phase === "over"; }
  get scores() { return this.#state.scores.slice(0, this.rules.seats); }
  get handsPlayed() { return this.#state.handsPlayed; }
  get trump() { return TRUMPS[this.#state.trump] ?? null; }
  get maker() { return this.#state.phase === "bid" ? null : orNull(this.#state.maker); }
  get bidder() { return this.rules.making === "bid" ? orNull(this.#state.maker) : null; }
  get contract() { return this.#state.contract; }
  get upcard() { return this.rules.turn_up ? CARDS[this.#state.rest[0]] : null; }
  get turnedDown() { return this.rules.making === "order" && turnedDown(this.#state); }
  /** Who passed: in the auction since the last bid, else in the circuit in progress. */
  get passed() {
    const circuit = { order: IN_ORDER, call: IN_CALL, bid: IN_AUCTION }[this.phase];
    return circuit === undefined ? [] : seatsIn(this.#state.passed[circuit]);
  }
  get stayed() { return seatsIn(this.#state.stayed); }
  get dropped() { return seatsIn(this.#state.dropped); }
  get reneged() { return seatsIn(this.#state.reneged); }
  get exchanged() { return seatsIn(this.#state.exchanged); }
  get discards() { return this.#state.discards.filter((card) => card !== NONE).map((card) => CARDS[card]); }
  get taken() { return this.#state.tricks.slice(0, this.rules.seats); }
  get steps() { return this.#steps; }
  get winners() { return seatsIn(this.#state.winners); }

  get tricks() {
    const { plays, starts, trick, trump, reneged, phase } = this.#state;
    if (phase !== "play" && !plays.length) return [];
    return starts.filter((start) => start !== NONE).map((start, i) => {
      const mine = plays.slice(start, starts[i + 1] === NONE ? plays.length : starts[i + 1]);
      const led = mine.length ? SUIT[trump][mine[0] & CARD] : NONE;
      return {
        leader: mine.length ? mine[0] >> SEAT_SHIFT : this.#state.seat,
        led: TRUMPS[led] ?? null,
        plays: mine.map((play) => this.#play(play, reneged)),
        winner: i < trick ? winnerOf(this.#state, mine) : null,
      };
    });
  }

  #play(play, reneged) {
    const seat = play >> SEAT_SHIFT;
    const last = this.#state.plays.findLast((other) => other >> SEAT_SHIFT === seat);
    return { seat, card: CARDS[play & CARD], reneged: ((reneged >> seat) & 1) === 1 && play === last };
  }

  hand(seat) { return cardsIn(this.#state.hand[seat]).map((card) => CARDS[card]); }
  rest() { return this.#pack.slice(5 * this.rules.seats).map((card) => CARDS[card]); }
  legal() { return legalTexts(this.#state, this.rules); }
  permitted() { return permitted(this.#state, this.rules).map((action) => actionText(action, this.phase)).sort(); }
  whyNot(action) { return whyNot(this.#state, this.rules, this.#id(action)); }

  /** The number of an action's text; a card of another phase counts as a card, so that the reason can be given. */
  #id(text) { return actionId(text, this.phase) ?? actionId(text, "play") ?? actionId(text, "discard"); }

  apply(text) {
    const action = actionId(text, this.phase);
    if (action === undefined || !permitted(this.#state, this.rules).includes(action)) {
      const why = this.whyNot(text) ?? { code: "not-an-action" };
      throw new IllegalActionError(refusal(this.#state, this.rules, quoted(text), why), why);
    }
    this.#steps.push({ seat: this.seat, phase: this.phase, legal: this.legal(), action: actionText(action, this.phase) });
    apply(this.#state, this.rules, action);
  }

  clone() { return this.at(this.#steps.length); }

  at(steps) {
    const table = new Table(this.rules, this.#pack, this.dealer, this.#start, this.#before);
    for (const step of this.#steps.slice(0, steps)) table.apply(step.action);
    return table;
  }

  /** The engine's state, a copy. */
  state() { return structuredClone(this.#state); }

  record(match) {
    const pack = this.#pack.map((card) => CARDS[card]);
    const seats = this.rules.seats;
    const record = {
      rules: rulesRecord(this.rules),
      dealer: this.dealer,
      scores: [...this.#start],
      hands: Array.from({ length: seats }, (_, seat) => pack.slice(5 * seat, 5 * seat + 5)),
      rest: pack.slice(5 * seats),
      steps: this.#steps.map((step) => ({ ...step, legal: [...step.legal] })),
    };
    if (this.over) record.result = this.result();
    return match ? { ...record, match } : record;
  }

  /** What a seat knows, with the cards of each hand in the order of the pack. */
  view(seat) {
    const record = this.record();
    return viewOf({ ...record, hands: record.hands.map((hand) => hand.toSorted((a, b) => CARDS.indexOf(a) - CARDS.indexOf(b))) }, seat);
  }

  position(uniform = Math.random()) {
    if (this.over) throw new RecordError("position: the hand is over: no seat is to act");
    return {
      seat: this.seat, phase: this.phase, legal: this.legal(), hands_played: this.handsPlayed, reneged: this.reneged,
      uniform, view: this.view(this.seat),
    };
  }

  result() {
    if (!this.over) throw new RecordError("result: the hand is not over");
    const { dropped, deltas } = this.#state;
    return {
      redeal: this.#state.trump === NONE, maker: this.maker, trump: this.trump,
      stayed: this.scores.map((_, seat) => !((dropped >> seat) & 1)), tricks: this.taken,
      deltas: deltas.slice(0, this.rules.seats), scores: this.scores, winners: this.winners,
    };
  }

  explain() {
    const { redeal, deltas, scores, tricks } = this.result();
    return scores.map((score, seat) => ({
      seat, role: this.#role(seat), needs: needs(this.#state, this.rules, seat), tricks: tricks[seat],
      ...(redeal ? { rule: "redeal", points: 0 } : scored(this.#state, this.rules, seat)), delta: deltas[seat], score,
    }));
  }

  #role(seat) {
    if ((this.#state.reneged >> seat) & 1) return "reneged";
    if ((this.#state.dropped >> seat) & 1) return "dropped";
    if (this.#state.maker === NONE) return "everyone";
    return seat === this.#state.maker ? "maker" : "stayer";
  }

  matchEnd() {
    if (!this.over || !this.#state.winners) return null;
    return { winners: this.winners, by: matchEnd(this.#state, this.rules).by };
  }
}
