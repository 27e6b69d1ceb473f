/** The dialog that sets up a match: the game or the rules of one's own house, and who sits where. */

import { FIELDS, PROFILES, parseHouseRules, parseRules } from "../../index.js";
import { byId, element, fill } from "./page.js";
import { placeOf } from "./words.js";

const OF_BASE = new Set(["seats"]); // follows from the profile

/** Let the person set up a match. `start` is called with `rules`, `seats`, `seed` (null: any) and `practice`. */
export class Setup {
  #text;
  #players;
  #rules = PROFILES.ohio;
  #seats = [];

  constructor(text, players, start) {
    this.#text = text;
    this.#players = players;
    const dialog = byId("setup");
    fill(byId("profile"), Object.keys(PROFILES).map((name) => element("option", { value: name }, text(`profile.${name}`))));
    byId("profile").addEventListener("change", (event) => this.#take(PROFILES[event.target.value]));
    byId("house-hands").addEventListener("change", () => this.#change());
    byId("house-file").addEventListener("change", (event) => this.#takeFile(event.target));
    byId("bot-file").addEventListener("change", (event) => this.#takeBot(event.target));
    byId("setup-cancel").addEventListener("click", () => dialog.close());
    byId("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#change()) return;
      dialog.close();
      const seed = byId("seed").value.trim();
      start({ rules: this.#rules, seats: [...this.#seats], seed: seed ? BigInt(seed) : null, practice: byId("practice").checked });
    });
  }

  /** Open the dialog, with the rules and the players of the match before. */
  open(rules, seats) {
    this.#seats = [...seats];
    this.#take(rules);
    byId("setup").showModal();
  }

  #take(rules) {
    this.#rules = rules;
    byId("profile").value = rules.base;
    byId("house-hands").value = rules.hands ?? "";
    fill(byId("house-fields"), FIELDS.filter(({ name }) => name !== "hands" && !OF_BASE.has(name)).map((field) => this.#field(field)));
    this.#say("");
    this.#drawSeats();
  }

  /** One field of the house, as a switch, a choice or a number. */
  #field({ name, kind, words, low, high, optional }) {
    const value = this.#rules[name];
    const id = `rule-${name}`;
    let input;
    if (kind === "number" && !words.length) {
      input = element("input", { id, type: "number", min: low, max: high, value: value ?? "", required: !optional });
    } else if (kind === "switch") {
      input = element("input", { id, type: "checkbox", checked: value });
    } else {
      const numbers = kind === "number" ? Array.from({ length: high - low + 1 }, (_, place) => String(low + place)) : [];
      input = element("select", { id }, ...[...words, ...numbers].map((word) =>
        element("option", { value: word, selected: word === String(value) }, word)));
    }
    input.addEventListener("change", () => this.#change());
    return element("label", { for: id, class: kind }, element("span", {}, this.#text(`field.${name}`)), input);
  }

  /** Take the form's fields as the rules; false, and a word about it, where they do not go together. */
  #change() {
    const given = { base: this.#rules.base };
    for (const { name, kind, optional } of FIELDS) {
      const input = byId(name === "hands" ? "house-hands" : `rule-${name}`);
      if (!input) continue;
      if (kind === "switch") given[name] = input.checked;
      else if (kind === "words") given[name] = input.value;
      else if (input.value !== "" || optional) given[name] = input.value === "" ? null : wholeOr(input.value);
    }
    try {
      this.#rules = parseRules({ ...PROFILES[given.base], ...given });
      this.#say("");
      this.#drawSeats();
      return true;
    } catch (error) {
      this.#say(this.#text("setup.house_wrong", { error: error.message }));
      return false;
    }
  }

  async #takeFile(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      this.#take(parseHouseRules(await file.text(), file.name));
    } catch (error) {
      this.#say(this.#text("setup.house_wrong", { error: error.message }));
    }
    input.value = "";
  }

  async #takeBot(input) {
    if (!input.files.length) return;
    try {
      const name = await this.#players.add(input.files);
      this.#say(this.#text("setup.bot_loaded", { name: this.#players.label(name) }));
      this.#drawSeats();
    } catch (error) {
      this.#say(this.#text("setup.bot_wrong", { error: error.message }));
    }
    input.value = "";
  }

  #drawSeats() {
    const able = ["person", ...this.#players.able(this.#rules)];
    const { seats } = this.#rules;
    const [best] = able.slice(1);
    this.#seats = Array.from({ length: seats }, (_, seat) => {
      const now = this.#seats[seat];
      return able.includes(now) ? now : seat === 0 && now === undefined ? "person" : best;
    });
    fill(byId("seats"), this.#seats.map((name, seat) => {
      const options = able.map((able) => element("option", { value: able, selected: able === name }, this.#players.label(able)));
      const select = element("select", { id: `seat-${seat}` }, ...options);
      select.addEventListener("change", () => this.#sit(seat, select.value, best));
      const place = placeOf(this.#text, seat, { seats, bottom: 0, person: null });
      return element("label", { for: `seat-${seat}` }, element("span", {}, place), select);
    }));
  }

  /** Seat somebody; there is one person at most. */
  #sit(seat, name, best) {
    if (name === "person") this.#seats = this.#seats.map((other) => (other === "person" ? best : other));
    this.#seats[seat] = name;
    this.#drawSeats();
  }

  #say(words) {
    byId("setup-said").textContent = words;
  }
}

function wholeOr(value) {
  return /^-?\d+$/.test(value) ? Number(value) : value;
}
