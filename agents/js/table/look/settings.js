/** The dialog of settings: speed, how long a taken trick stays, hints and colours. */

import { keepSettings } from "../game/kept.js";
import { byId, element, fill } from "./page.js";

const CHOICES = { speed: ["speeds", ["slow", "normal", "fast", "instant"]], keep: ["keep", ["seen", "moment"]], look: ["looks", ["system", "light", "dark"]] };

/** Fill in the dialog, and let changes act at once; `changed` is called after each. */
export function openSettings(text, settings, changed) {
  for (const [name, [words, values]] of Object.entries(CHOICES)) {
    const select = byId(`set-${name}`);
    fill(select, values.map((value) => element("option", { value, selected: settings[name] === value }, text(`settings.${words}.${value}`))));
    select.onchange = () => change(name, select.value);
  }
  const hints = byId("set-hints");
  hints.checked = settings.hints;
  hints.onchange = () => change("hints", hints.checked);
  const change = (name, value) => {
    settings[name] = value;
    keepSettings(settings);
    applyLook(settings);
    changed();
  };
  byId("settings").showModal();
}

/** Dress the page in the colours that were chosen. */
export function applyLook(settings) {
  document.documentElement.dataset.look = settings.look;
}
