/** Hands of a file, stepped through card by card with every hand open. */

import { Table } from "../../index.js";
import { drawFelt } from "./felt.js";
import { byId, fill } from "./page.js";
import { makingWords, placeOf, saidWords } from "./words.js";

/** The records of a file at the table; `playOn` is called with them where the last match is to go on. */
export class Steps {
  #text;
  #records = [];
  #hand = 0;
  #at = 0;
  #whole = null;

  constructor(text, playOn) {
    this.#text = text;
    const acts = {
      first: () => this.#to(0),
      back: () => this.#to(this.#at - 1),
      next: () => this.#to(this.#at + 1),
      last: () => this.#to(this.#whole.steps.length),
      "hand-before": () => this.#open(this.#hand - 1),
      "hand-after": () => this.#open(this.#hand + 1),
    };
    for (const [name, act] of Object.entries(acts)) byId(`step-${name}`).addEventListener("click", act);
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
    byId("steps").addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
      event.preventDefault();
      acts[keys[event.key]]();
    });
    byId("step-play").addEventListener("click", () => {
      byId("steps").close();
      playOn([...this.#records.slice(0, this.#hand), this.#asShown()]);
    });
    byId("step-close").addEventListener("click", () => byId("steps").close());
  }

  /** Open the dialog at the first of some records. */
  open(records) {
    this.#records = records;
    this.#open(0);
    byId("steps").showModal();
  }

  /** The record of the hand as far as the step that is shown. */
  #asShown() {
    const { result, ...begun } = this.#records[this.#hand];
    return this.#at === begun.steps.length && result ? { ...begun, result } : { ...begun, steps: begun.steps.slice(0, this.#at) };
  }

  #open(hand) {
    this.#hand = Math.max(0, Math.min(this.#records.length - 1, hand));
    this.#whole = Table.fromRecord(this.#records[this.#hand]);
    this.#to(0);
  }

  #to(at) {
    const last = this.#whole.steps.length;
    this.#at = Math.max(0, Math.min(last, at));
    const text = this.#text;
    const table = this.#whole.at(this.#at);
    const { seats } = table.rules;
    const who = (seat) => placeOf(text, seat, { seats, bottom: 0, person: null });
    drawFelt(byId("steps-felt"), { text, table, bottom: 0, open: true, person: null, who, label: () => "", trickSeen: false });
    const step = table.steps.at(-1);
    fill(byId("steps-said"), step ? saidWords(text, step, who, true) : text("files.dealt"), ` · ${makingWords(text, table, who)}`);
    const values = { hand: this.#hand + 1, hands: this.#records.length, at: this.#at, last };
    fill(byId("steps-at"), text("files.step", values));
    const ends = { first: this.#at === 0, back: this.#at === 0, next: this.#at === last, last: this.#at === last,
      "hand-before": this.#hand === 0, "hand-after": this.#hand === this.#records.length - 1 };
    for (const [name, end] of Object.entries(ends)) byId(`step-${name}`).setAttribute("aria-disabled", String(end));
  }
}
