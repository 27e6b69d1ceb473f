/** The table in the browser: opens the page, and puts the match that was left, or a new one, on it. */

import { Match, PROFILES, drawSeed } from "../index.js";
import { linkedHand, readRecordFile, saveRecords } from "./game/files.js";
import { Game } from "./game/game.js";
import { keptMatch, keptSettings } from "./game/kept.js";
import { Players } from "./game/players.js";
import { listenToKeys } from "./look/keys.js";
import { byId } from "./look/page.js";
import { Screen } from "./look/screen.js";
import { applyLook, openSettings } from "./look/settings.js";
import { Setup } from "./look/setup.js";
import { Steps } from "./look/steps.js";
import { fillText, loadText } from "./look/text.js";

const settings = keptSettings();
applyLook(settings);
const text = await loadText("text.en.json");
fillText(document, text);
const site = await (await fetch("../site.json")).json();
const players = new Players(site, text);
const screen = new Screen({ text, players, settings, served: site.service, newMatch: () => setUp() });
const setup = new Setup(text, players, ({ rules, seats, seed, practice }) => {
  screen.warn("");
  begin(new Match(rules, { seed: seed ?? drawSeed() }), seats, practice);
});
const steps = new Steps(text, (records) => tried("files.cannot_go_on", () => {
  const match = matchAfter(records);
  screen.warn("");
  begin(match, usual(match.rules), true);
}));
let game = null;

/** Put a match on the table in place of the one before. */
function begin(match, seats, practice) {
  game?.leave();
  game = new Game(match, seats, { players, screen, settings, practice });
  game.play();
}

/** Let the person set up a match. */
function setUp() {
  setup.open(game.match.rules, game.seats);
}

/** Who sits down at rules where nobody has chosen: the person, and the best who know them. */
function usual(rules) {
  const [best] = players.able(rules);
  return Array.from({ length: rules.seats }, (_, seat) => (seat === 0 ? "person" : best));
}

/** The match that goes on after the last of some records; where its first hands are missing, that hand alone begins it. */
function matchAfter(records) {
  const { match, ...alone } = records.at(-1);
  const own = match ? records.filter((record) => record.match?.id === match.id) : [];
  return Match.fromRecords(own[0]?.match.hand === 0 ? own : [alone], { seed: drawSeed() });
}

/** The game that was left, or null. */
function keptGame() {
  const kept = keptMatch();
  if (!kept) return null;
  const left = Game.fromKept(kept, { players, screen, settings });
  const { rules } = left.match;
  const [best] = players.able(rules);
  left.seats = left.seats.map((name) => (name === "person" || players.has(name, rules) ? name : best));
  return left;
}

/** What an act returns; null, and a line on the page, where what comes from outside cannot be played. */
function tried(warning, act) {
  try {
    return act();
  } catch (error) {
    screen.warn(text(warning, { error: error.message }));
    return null;
  }
}

/** The match that was left, a link's hand, or a new match; a link's hand does not replace a match unasked. */
function open() {
  const linked = tried("files.wrong_link", () => {
    const record = linkedHand(location);
    history.replaceState(null, "", location.pathname);
    return record && matchAfter([record]);
  });
  const left = tried("files.wrong_kept", keptGame);
  const playLinked = () => begin(linked, usual(linked.rules), true);
  if (left && !(linked && left.match.over)) {
    game = left;
    game.play();
    if (linked) ask(playLinked);
  } else if (linked) {
    playLinked();
  } else {
    begin(new Match(PROFILES.ohio, { seed: drawSeed() }), usual(PROFILES.ohio), false);
    setUp();
  }
}

/** Ask whether a link's hand may replace the match that was left. */
function ask(replace) {
  byId("link-play").addEventListener("click", () => {
    byId("linked").close();
    replace();
  });
  byId("linked").showModal();
}

async function load(input) {
  const [file] = input.files;
  if (!file) return;
  try {
    steps.open(await readRecordFile(file));
    screen.warn("");
  } catch (error) {
    screen.warn(text("files.wrong", { error: error.message }));
  }
  input.value = "";
}

const acts = {
  new: setUp,
  hint: () => screen.hint(game),
  undo: () => game.undo(),
  save: () => saveRecords(game.match),
  load: () => byId("record-file").click(),
  "settings-open": () => openSettings(text, settings, () => screen.show(game)),
  help: () => byId("helping").showModal(),
};
for (const [name, act] of Object.entries(acts)) byId(name).addEventListener("click", act);
for (const close of document.querySelectorAll("dialog .close")) close.addEventListener("click", () => close.closest("dialog").close());
byId("record-file").addEventListener("change", (event) => load(event.target));
listenToKeys(screen, acts);

/** For bots of one's own: `table.seat(2, (position) => action)` seats a function, as a `cmd:` program would answer. */
globalThis.table = {
  seat(seat, decide) {
    game.seat(seat, players.addFunction(seat, decide));
  },
};

open();
if (!site.service && "serviceWorker" in navigator) navigator.serviceWorker.register("../worker.js");
