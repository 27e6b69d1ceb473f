/** The score with its history, what a hand brought and why, and what happened in it. */

import { element, fill } from "./page.js";
import { numberWords } from "./text.js";
import { changeClass, listed, saidWords, scoreWords, signed } from "./words.js";

/** The score of every hand of a match, the newest last. */
export function drawScores(place, { text, match, who }) {
  const { rules, finished } = match;
  const seats = [...Array(rules.seats).keys()];
  const first = (finished[0] ?? match.table).record().scores;
  const heads = [text("scores.hand"), ...seats.map(who), text("scores.trump")];
  const start = element("tr", {}, element("th", { scope: "row" }, text("scores.start")),
    ...seats.map((seat) => element("td", { class: "num" }, numberWords(first[seat]))),
    element("td"));
  const rows = finished.map((table, number) => {
    const result = table.result();
    const trump = result.redeal ? text("scores.redeal") : text(`suit.${result.trump}`);
    return element("tr", {},
      element("th", { scope: "row" }, String(number + 1)),
      ...seats.map((seat) => element("td", { class: "num" }, ...marks(table, result, seat, text), numberWords(result.scores[seat]), " ", changeOf(table, result, seat, text))),
      element("td", {}, trump));
  });
  fill(place, element("table", {},
    element("caption", { class: "unseen" }, text("scores.title")),
    element("thead", {}, element("tr", {}, ...heads.map((head, column) =>
      element("th", { scope: "col", class: column && column <= rules.seats ? "num" : "" }, head)))),
    element("tbody", {}, start, ...rows)));
}

/** Signs of the dealer and of the maker. */
function marks(table, result, seat, text) {
  return ["dealer", "maker"]
    .filter((role) => (role === "dealer" ? table.dealer : result.maker) === seat)
    .flatMap((role) => [element("abbr", { class: role, title: text(`scores.${role}`) }, text(`scores.${role}_sign`)), " "]);
}

function changeOf(table, result, seat, text) {
  if (table.dropped.includes(seat)) return element("small", {}, text("scores.dropped"));
  const delta = result.deltas[seat];
  return element("small", { class: changeClass(table.rules, delta) }, signed(delta));
}

/** What a hand brought every seat and why, and how the match ended where it did. */
export function drawResult(place, { text, match, who }) {
  const { table } = match;
  const end = table.matchEnd();
  const result = table.result();
  const heads = ["who", "tricks", "change", "score", "why"].map((key) => element("th", { scope: "col" }, text(`result.${key}`)));
  const rows = table.explain().map((line) => element("tr", {},
    element("th", { scope: "row" }, who(line.seat)),
    element("td", { class: "num" }, String(line.tricks)),
    element("td", { class: `num ${changeClass(table.rules, line.delta)}` }, signed(line.delta)),
    element("td", { class: "num" }, numberWords(line.score)),
    element("td", { class: "why" }, scoreWords(text, line, end))));
  fill(place,
    result.redeal
      ? element("p", {}, text("result.redeal"))
      : element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
    match.over ? element("p", { class: "end" }, endWords(text, match, who)) : null);
}

/** How a match ended. */
export function endWords(text, match, who) {
  const { winners } = match;
  if (match.truncated) return text("result.cut", { n: match.finished.length });
  if (winners.length > 1) return text("result.shared", { who: listed(text, winners.map(who)) });
  const [winner] = winners;
  return who(winner) === text("place.you") ? text("result.won_you") : text("result.won", { who: who(winner) });
}

/** What happened in the hand so far, one line a step, the tricks between them. */
export function drawLog(place, { text, table, who, person }) {
  const lines = table.steps.map((step) => element("li", {}, saidWords(text, step, who, step.seat === person)));
  fill(place, lines.length ? lines : element("li", {}, text("table.none")));
  requestAnimationFrame(() => { place.scrollTop = place.scrollHeight; }); // at once it would lay out the page for every card
}
