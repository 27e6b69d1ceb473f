/** What the browser keeps of this page between visits: the match, and the settings. */

const MATCH = "buck-euchre.match";
const SETTINGS = "buck-euchre.settings";

/** How the page is set where nobody has changed it. */
export const DEFAULTS = { speed: "normal", keep: "seen", hints: false, look: "system" };

/** Milliseconds before another player's next action, by speed. */
export const PAUSES = { slow: 1400, normal: 700, fast: 250, instant: 0 };

/** The settings kept, with the defaults of those that are not. */
export function keptSettings() {
  return { ...DEFAULTS, ...read(SETTINGS) };
}

/** Keep the settings. */
export function keepSettings(settings) {
  write(SETTINGS, settings);
}

/** The match kept, or null. */
export function keptMatch() {
  return read(MATCH);
}

/** Keep a match: `records`, `seed`, `seats` and `practice`. */
export function keepMatch(match) {
  write(MATCH, match);
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null; // storage is closed to this page, or holds what is no JSON
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // storage is full or closed: the match goes on, and is not kept
  }
}
