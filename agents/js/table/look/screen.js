/** The page as a `Game` sees it: it shows the table, asks the person, and waits until something has been seen. */

import { wait } from "../game/game.js";
import { drawHint, drawReview } from "./advice.js";
import { drawFelt, trickWords } from "./felt.js";
import { drawMine } from "./mine.js";
import { button, byId, element, fill } from "./page.js";
import { drawLog, drawResult, drawScores, endWords } from "./scores.js";
import { gameWords, phaseWords, placeOf, saidWords } from "./words.js";

/** Milliseconds for which a trick stays, and the score of a hand among bots, where nobody has to go on. */
const MOMENT = 1200;

export class Screen {
  #text;
  #players;
  #settings;
  #served;
  #newMatch;
  #choose = null; // takes the person's action, while it is asked
  #hinted = false;

  constructor({ text, players, settings, served, newMatch }) {
    this.#text = text;
    this.#players = players;
    this.#settings = settings;
    this.#served = served;
    this.#newMatch = newMatch;
  }

  /** Show a game as it is. */
  show(game) {
    const { match, table, person } = game;
    const text = this.#text;
    const bottom = person ?? 0;
    const who = this.#who(game);
    const open = person === null;
    drawFelt(byId("felt"), { text, table, bottom, open, person, who, label: (seat) => this.#players.label(game.seats[seat]), trickSeen: game.trickSeen });
    document.body.classList.toggle("watching", open);
    if (!open) this.#drawMine(game);
    fill(byId("game"), gameWords(text, match));
    drawScores(byId("scores-table"), { text, match, who });
    drawLog(byId("log"), { text, table, who, person });
    const last = table.tricks.findLast(({ winner }) => winner !== null);
    fill(byId("last-trick"), last ? trickWords(text, last, who) : "");
    byId("undo").disabled = !game.canUndo;
    byId("undo").hidden = !game.practice;
    byId("hint").hidden = open;
    if (!table.over) fill(byId("result"));
    byId("result").hidden = !table.over;
  }

  /** Wait for the person's action. */
  choose(game, signal) {
    return new Promise((done, fail) => {
      this.#choose = (action) => {
        this.#choose = null;
        this.#hide();
        done(action);
      };
      signal.addEventListener("abort", () => { this.#choose = null; this.#hide(); fail(signal.reason); }, { once: true });
      const focused = byId("mine").contains(document.activeElement) || document.activeElement === document.body;
      this.#drawMine(game);
      if (focused) this.#focus();
      this.#say(phaseWords(this.#text, game.table, this.#who(game)));
      if (this.#settings.hints) this.hint(game);
    });
  }

  /** Wait until a taken trick, or the end of a hand, has been seen. */
  async seen(game, what, signal) {
    const text = this.#text;
    const { table, match, person } = game;
    const who = this.#who(game);
    if (what === "hand") await this.#showResult(game);
    else {
      const { winner } = table.tricks.findLast((trick) => trick.winner !== null);
      fill(byId("phase"), winner === person ? text("table.taken_you") : text("table.taken", { who: who(winner) }));
      this.#say(byId("phase").textContent);
    }
    const moment = person === null || (what === "trick" && this.#settings.keep === "moment");
    if (match.over && what === "hand") {
      fill(byId("phase"), endWords(text, match, who));
      this.#say(byId("phase").textContent);
      return this.#confirm(text("table.new_match"), signal).then(() => this.#newMatch());
    }
    if (moment) return wait(this.#settings.speed === "instant" ? 0 : MOMENT, signal);
    return this.#confirm(text(what === "hand" ? "table.next_hand" : "table.go_on"), signal);
  }

  /** Say what a seat has done. */
  said(game, step) {
    this.#say(saidWords(this.#text, step, this.#who(game), step.seat === game.person));
  }

  /** Say that a player failed. */
  wrong(game, seat, error) {
    this.warn(this.#text("error.player", { who: this.#who(game)(seat), error: error.message }));
  }

  /** Show a line that something is wrong. */
  warn(words) {
    fill(byId("warning"), words);
    byId("warning").hidden = !words;
  }

  /** Show or hide the coach's advice on the person's decision. */
  async hint(game) {
    if (!this.#choose || this.#hinted) return this.#hide();
    this.#hinted = true;
    const { table } = game;
    const coach = await this.#players.coach(table.rules);
    if (!this.#choose) return undefined; // the person has decided meanwhile
    byId("advice").hidden = false;
    return drawHint(byId("advice"), { text: this.#text, table, coach, served: this.#served });
  }

  /** Take the choice of a number, from 1: of the buttons, or of the legal cards. */
  pick(number) {
    const buttons = [...byId("choices").querySelectorAll("button")];
    const legal = [...byId("hand").querySelectorAll(".legal")];
    (buttons.length ? buttons : legal)[number - 1]?.click();
  }

  /** Go on, where the table waits to be seen. */
  goOn() {
    byId("go-on")?.click();
  }

  #drawMine(game) {
    const places = { hand: byId("hand"), choices: byId("choices"), phase: byId("phase"), why: byId("why") };
    const { table, person } = game;
    drawMine(places, { text: this.#text, table, person, who: this.#who(game), choose: this.#choose, explain: (why) => this.#explain(why) });
  }

  #explain(why) {
    fill(byId("why"), element("strong", {}, why));
    this.#say(why);
  }

  async #showResult(game) {
    const { match, table, person } = game;
    const text = this.#text;
    const place = byId("result");
    const figures = element("div", { class: "wide" });
    const review = element("div", { class: "wide review" });
    drawResult(figures, { text, match, who: this.#who(game) });
    const look = async () => {
      const coach = await this.#players.coach(table.rules);
      await drawReview(review, { text, table, person, coach });
    };
    fill(place,
      element("h2", {}, text("result.title", { n: match.number + 1 })),
      figures,
      person === null || !table.steps.some(({ seat }) => seat === person) ? null : button(text("menu.review"), look, { id: "review" }),
      review);
    place.hidden = false;
  }

  /** A button to go on, and its choice. */
  #confirm(label, signal) {
    return new Promise((done, fail) => {
      const going = button(label, done, { id: "go-on", class: "main" });
      fill(byId("choices"), going);
      if (!document.querySelector("dialog[open]")) going.focus({ preventScroll: true });
      signal.addEventListener("abort", () => { going.remove(); fail(signal.reason); }, { once: true });
    });
  }

  #focus() {
    const first = byId("choices").querySelector("button") ?? byId("hand").querySelector(".legal");
    first?.focus({ preventScroll: true });
  }

  #hide() {
    this.#hinted = false;
    fill(byId("advice"));
    byId("advice").hidden = true;
  }

  #say(words) {
    byId("live").textContent = words;
  }

  #who(game) {
    const { seats } = game.table.rules;
    return (seat) => placeOf(this.#text, seat, { seats, bottom: game.person ?? 0, person: game.person });
  }
}
