/** A bot's advice: its hint for a decision, and its review of a hand. */

import { askServer } from "../game/server.js";
import { button, element, fill } from "./page.js";
import { actionWords } from "./words.js";

/** Show what the coach would do now: its probabilities, and what it expects. `served` adds the server's analysis. */
export async function drawHint(place, { text, table, coach, served }) {
  const position = table.position(0.5);
  const { action, probabilities, value } = await coach.decide(position);
  const rows = probabilities
    ? likeliest(probabilities).map(([choice, share]) => bar(text, choice, share))
    : [element("li", {}, actionWords(text, action))];
  fill(place,
    element("h2", {}, text("hint.title", { bot: coach.label })),
    coach.sure ? null : element("p", {}, text("hint.none")),
    element("ul", { class: "bars" }, ...rows),
    value === null ? null : element("p", {}, text("hint.value", { value: fixed(value) })),
    served ? analysis(text, position) : null);
}

function bar(text, choice, share) {
  const percent = Math.round(100 * share);
  const meter = element("meter", { min: 0, max: 1, value: share, "aria-hidden": "true" });
  return element("li", {}, meter, ` ${text("hint.choice", { action: actionWords(text, choice), percent })}`);
}

function likeliest(probabilities) {
  return Object.entries(probabilities).sort(([, a], [, b]) => b - a);
}

function fixed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** Expected points of each choice, which the server finds by playing on; asked for by a button. */
function analysis(text, position) {
  const found = element("div", { "aria-live": "polite" });
  const ask = async () => {
    fill(found, text("hint.analysing"));
    try {
      const { actions } = await askServer("analyse", position);
      fill(found, element("ul", {}, ...Object.entries(actions).map(([action, { points }]) => element("li", {},
        text("hint.points", { action: actionWords(text, action), points: fixed(points.mean), half: ((points.high - points.low) / 2).toFixed(2) })))));
    } catch (error) {
      fill(found, text("hint.failed", { error: error.message }));
    }
  };
  return element("div", {}, button(text("hint.analyse"), ask), found);
}

/** Show every decision of the person in a hand that is over, beside the coach's. */
export async function drawReview(place, { text, table, person, coach }) {
  const rows = [];
  for (const [number, step] of table.steps.entries()) {
    if (step.seat !== person) continue;
    const before = table.at(number);
    if (before.legal().length === 1) continue; // no choice to speak of
    const { action, probabilities } = await coach.decide(before.position(0.5));
    const share = probabilities ? text("review.percent", { n: Math.round(100 * (probabilities[step.action] ?? 0)) }) : "";
    rows.push(element("tr", { class: action === step.action ? "" : "other" },
      element("td", {}, actionWords(text, step.action)),
      element("td", {}, action === step.action ? text("review.same") : actionWords(text, action)),
      element("td", { class: "num" }, share)));
  }
  const heads = ["yours", "bots", "share"].map((key) => element("th", { scope: "col" }, text(`review.${key}`)));
  fill(place,
    element("p", {}, rows.length ? text("review.by", { bot: coach.label }) : text("review.none")),
    rows.length ? element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)) : null);
}
