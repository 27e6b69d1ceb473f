/** A match at the table: asks whoever is to act, keeps the match, and waits until a person has seen what happened. */

import { Match, random } from "../../index.js";
import { keepMatch, PAUSES } from "./kept.js";

/** One match, its players, and the screen that shows it. */
export class Game {
  #players;
  #screen;
  #settings;
  #deciders = [];
  #stop = new AbortController();

  /**
   * `seats` holds a name of `Players` for each seat, and "person" for the person's. The `screen` shows, asks and waits:
   * `show(game)`, `choose(game, signal)` for an action, `seen(game, what, signal)`, `said(game, step)`, and
   * `wrong(game, seat, error)`.
   */
  constructor(match, seats, { players, screen, settings, practice }) {
    this.match = match;
    this.seats = seats;
    this.practice = practice;
    this.trickSeen = true;
    this.#players = players;
    this.#screen = screen;
    this.#settings = settings;
  }

  /** A match as it was kept. */
  static fromKept(kept, parts) {
    const match = Match.fromRecords(kept.records, { seed: BigInt(kept.seed) });
    return new Game(match, kept.seats, { ...parts, practice: kept.practice });
  }

  get table() {
    return this.match.table;
  }

  /** The person's seat, or null where bots play among themselves. */
  get person() {
    const seat = this.seats.indexOf("person");
    return seat < 0 ? null : seat;
  }

  /** Play on until the match is over, or `leave` is called. */
  async play() {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    try {
      while (await this.#go(signal));
    } catch (error) {
      if (error !== signal.reason) throw error;
    }
  }

  /** Leave the match as it is. */
  leave() {
    this.#stop.abort();
  }

  /** Whether a decision of the person can be taken back. */
  get canUndo() {
    return this.practice && this.#lastOwn() >= 0;
  }

  /** Take back the person's last decision, and all that came after it. */
  undo() {
    if (!this.canUndo) return;
    this.leave();
    this.match.undo(this.table.steps.length - this.#lastOwn());
    this.trickSeen = true;
    this.#keep();
    this.play();
  }

  /** Seat somebody else from now on. */
  seat(seat, name) {
    this.leave();
    this.seats[seat] = name;
    this.#deciders[seat] = undefined;
    this.#keep();
    this.play();
  }

  /** One thing more; false when the match is over. */
  async #go(signal) {
    const { table } = this;
    if (table.over) {
      this.#keep();
      this.#screen.show(this);
      await this.#screen.seen(this, "hand", signal);
      if (this.match.over) return false;
      this.match.next();
      this.trickSeen = true;
      this.#keep();
      return true;
    }
    this.#screen.show(this);
    const { seat } = table;
    const action = seat === this.person ? await this.#screen.choose(this, signal) : await this.#other(seat, signal);
    const tricks = table.taken.reduce((sum, taken) => sum + taken, 0);
    table.apply(action);
    this.trickSeen = false;
    this.#keep();
    this.#screen.said(this, table.steps.at(-1));
    const taken = table.taken.reduce((sum, taken) => sum + taken, 0) > tricks && table.tricks.length > 0;
    if (taken) {
      this.#screen.show(this);
      await this.#screen.seen(this, "trick", signal);
      this.trickSeen = true;
    }
    return true;
  }

  /** The action of another player; where it fails, a random one and a word about it. */
  async #other(seat, signal) {
    const pause = PAUSES[this.#settings.speed];
    const [action] = await Promise.all([this.#decided(seat, signal), pause && wait(pause, signal)]);
    signal.throwIfAborted();
    return action;
  }

  async #decided(seat, signal) {
    const position = this.table.position(Math.random());
    try {
      const decide = this.#deciders[seat] ?? await this.#players.ready(this.seats[seat], this.table.rules);
      signal.throwIfAborted(); // somebody else may have taken the seat meanwhile
      this.#deciders[seat] = decide;
      const answer = await decide(position);
      const action = typeof answer === "string" ? answer : answer.action;
      if (!this.table.permitted().includes(action)) throw new Error(`${JSON.stringify(action)} is not legal now.`);
      return action;
    } catch (error) {
      signal.throwIfAborted(); // the match was left: nobody has to be warned
      this.#screen.wrong(this, seat, error);
      return random(this.table.rules).decide(position).action;
    }
  }

  #lastOwn() {
    return this.table.steps.findLastIndex((step) => step.seat === this.person);
  }

  #keep() {
    const { match, seats, practice } = this;
    keepMatch({ records: match.records(), seed: String(match.seed), seats, practice });
  }
}

/** Some milliseconds, unless the signal ends them. */
export function wait(milliseconds, signal) {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); fail(signal.reason); }, { once: true });
  });
}
