/** The keyboard: arrows from card to card, letters for the menu, numbers for choices. */

import { byId } from "./page.js";

/** Listen to keys wherever no dialog is open and nothing is typed. */
export function listenToKeys(screen, acts) {
  const letters = { h: acts.hint, u: acts.undo, n: acts.new, g: () => screen.goOn(), l: () => open("last"), s: () => open("scores") };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, select, textarea")) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") move(event);
    else if (/^[1-9]$/.test(event.key)) screen.pick(Number(event.key));
    else letters[event.key.toLowerCase()]?.();
  });
}

/** Move the focus along the cards, or along the choices where there are any. */
function move(event) {
  const row = byId("choices").querySelector("button") && !byId("hand").contains(document.activeElement) ? byId("choices") : byId("hand");
  const stops = [...row.querySelectorAll("button")];
  if (!stops.length) return;
  event.preventDefault();
  const at = stops.indexOf(document.activeElement);
  const to = at < 0 ? 0 : at + (event.key === "ArrowRight" ? 1 : -1);
  stops[(to + stops.length) % stops.length].focus();
}

function open(id) {
  byId(id).open = !byId(id).open;
}
