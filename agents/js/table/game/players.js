/** Who may sit at the table, each by a name that is kept with the match: `pretrained:ohio@easy`, `file:mine`, … */

import { loadBundle, phasesOf, random, rulesName, rulesV1 } from "../../index.js";
import { askServer } from "./server.js";

/** The levels of a pretrained bot, the strongest first. */
const LEVELS = ["hard", "medium", "easy"];

/** Everybody who can be seated: the bots of the site, bundles that the person loads, and agents of the server. */
export class Players {
  #site;
  #text;
  #bundles = new Map(); // promises of bots by the name of a bundle
  #files = new Map(); // bots of the person's files by name
  #foreign = new Map(); // functions by seat

  /** `site` is what `site.json` says: `bots`, each with `name`, `rules` and `levels`, and `agents` of the server. */
  constructor(site, text) {
    this.#site = site;
    this.#text = text;
  }

  /** The names of all who can play these rules, in the order of a menu. */
  able(rules) {
    const game = rulesName(rules);
    const trained = this.#site.bots.filter((bot) => bot.rules === game);
    return [
      ...trained.flatMap((bot) => LEVELS.map((level) => `pretrained:${bot.name}@${level}`)),
      "rules-v1",
      "random",
      ...[...this.#files].filter(([, bot]) => rulesName(bot.rules) === game).map(([name]) => `file:${name}`),
      ...this.#site.agents.filter((agent) => agent.rules === game).map((agent) => `served:${agent.name}`),
    ];
  }

  /** A name as it is shown. */
  label(name) {
    const [kind, of] = parts(name);
    if (kind === "pretrained") {
      const [bot, level] = of.split("@");
      return this.#text("player.level", { name: bot, level: this.#text(`level.${level}`) });
    }
    if (kind === "file" && !isWhole(this.#files.get(of))) {
      const phases = this.#files.get(of).phases.map((phase) => this.#text(`decides.${phase}`)).join(", ");
      return this.#text("player.file_part", { name: of, phases });
    }
    return of ? this.#text(`player.${kind}`, { name: of }) : this.#text(`player.${kind}`);
  }

  /** Whoever has this name, ready to decide: a function of a position. */
  async ready(name, rules) {
    const [kind, of] = parts(name);
    if (kind === "foreign") return this.#foreign.get(Number(of));
    if (kind === "served") return (position) => askServer("decide", { bot: of, ...position });
    const bot = await this.#bot(kind, of, rules);
    return (position) => bot.decide(position);
  }

  /** The bot that gives hints: the best trained one for these rules, or rules-v1, which has no probabilities. */
  async coach(rules) {
    const name = this.able(rules).find((able) => able.startsWith("pretrained:") || able.startsWith("file:"));
    const bot = name ? await this.#bot(...parts(name), rules) : rulesV1(rules);
    return { label: this.label(name ?? "rules-v1"), decide: (position) => bot.decide(position), sure: Boolean(name) };
  }

  /** Take in a bundle's files, and return the name that it can be seated by. BotError says why it cannot. */
  async add(files) {
    const contents = {};
    for (const file of files) contents[file.name] = new Uint8Array(await file.arrayBuffer());
    const bot = await loadBundle(contents, { samples: "samples.jsonl" in contents });
    const name = `${rulesName(bot.rules)} ${bot.sha256.slice(0, 6)}`;
    this.#files.set(name, bot);
    return `file:${name}`;
  }

  /** Take in a function that decides for a seat, and return the name it is seated by. */
  addFunction(seat, decide) {
    this.#foreign.set(seat, decide);
    return `foreign:${seat}`;
  }

  /** Whether a name, perhaps one kept from an earlier visit, can be seated now. */
  has(name, rules) {
    const [kind, of] = parts(name);
    return kind === "foreign" ? this.#foreign.has(Number(of)) : this.able(rules).includes(name);
  }

  async #bot(kind, of, rules) {
    if (kind === "random") return random(rules);
    if (kind === "rules-v1") return rulesV1(rules);
    if (kind === "file") return completed(this.#files.get(of));
    const [bot, level] = of.split("@");
    const whole = await this.#bundle(bot);
    const temperature = this.#site.bots.find(({ name }) => name === bot).levels[level];
    return temperature ? whole.at({ temperature, play: "sampled" }) : whole;
  }

  #bundle(name) {
    if (!this.#bundles.has(name)) {
      const read = async (file) => {
        const answer = await fetch(`../bots/${name}/${file}`);
        if (!answer.ok) throw new Error(`bots/${name}/${file}: ${answer.status}`);
        return answer.arrayBuffer();
      };
      const loading = loadBundle(read, { samples: false });
      loading.catch(() => this.#bundles.delete(name)); // so that it is tried again
      this.#bundles.set(name, loading);
    }
    return this.#bundles.get(name);
  }
}

/** Whether a bot decides all that its rules ask. */
function isWhole(bot) {
  return phasesOf(bot.rules).every((phase) => bot.phases.includes(phase));
}

/** A bot that decides everything: where it has not learned a phase, rules-v1 does. */
function completed(bot) {
  const other = rulesV1(bot.rules);
  return { decide: (position) => (bot.phases.includes(position.phase) ? bot : other).decide(position) };
}

function parts(name) {
  const colon = name.indexOf(":");
  return colon < 0 ? [name, ""] : [name.slice(0, colon), name.slice(colon + 1)];
}
