/** What is said about a table in words. Each function takes the words of the page, `text`, first. */

import { rulesRecord, suitOf } from "../../index.js";
import { cardWords } from "./cards.js";
import { numberWords } from "./text.js";

/** Who sits in a seat, seen from the seat at the bottom: "You", "West", … */
export function placeOf(text, seat, { seats, bottom, person }) {
  if (seat === person) return text("place.you");
  const places = seats === 4 ? ["bottom", "left", "top", "right"] : ["bottom", "left", "right"];
  return text(`place.${places[(seat - bottom + seats) % seats]}`);
}

/** Which game it is and how far it is. */
export function gameWords(text, match) {
  const { rules, number } = match;
  const plain = typeof rulesRecord(rules) === "string";
  const name = plain ? rules.base : text("table.house", { base: rules.base });
  const way = text(rules.target > rules.start ? "table.up" : "table.down");
  const key = rules.hands ? "table.game_hands" : "table.game";
  return text(key, { rules: name, hand: number + 1, hands: rules.hands, start: rules.start, target: rules.target, way });
}

/** So many tricks. */
export function needsWords(text, n) {
  return text("needs", { n });
}

/** Who made trump and undertakes what, or how far that is. */
export function makingWords(text, table, who) {
  if (table.maker !== null) return text("table.needs", { who: who(table.maker), n: table.contract });
  if (table.bidder !== null && table.trump === null) return text("table.bid", { who: who(table.bidder), n: table.contract });
  if (table.trump === null) return text("table.not_made");
  return text(table.rules.making === "dealer" ? "table.named" : "table.no_maker");
}

/** A seat's part in the hand, in one or two words, or nothing. */
export function partWords(text, table, seat) {
  if (table.phase === "exchange") {
    const step = table.steps.find((step) => step.seat === seat);
    return step ? text(step.action === "exchange" ? "part.exchanged" : "part.kept") : "";
  }
  if (seat === table.bidder && table.trump === null) return text("part.bid", { n: table.contract });
  if (table.reneged.includes(seat)) return text("part.reneged");
  if (table.dropped.includes(seat)) return text("part.dropped");
  if (seat === table.maker) return text("part.maker");
  if (table.stayed.includes(seat)) return text("part.stayed");
  const making = ["order", "call", "bid"].includes(table.phase);
  return making && table.passed.includes(seat) ? text("part.passed") : "";
}

/** What the seat to act decides and what follows from it, in a line. */
export function phaseWords(text, table, who) {
  const { rules, phase, seat } = table;
  const needs = needsWords(text, rules.maker_needs === "bid" ? table.contract : rules.maker_needs);
  const suit = table.upcard ? text(`suit.${table.upcard[1]}`) : "";
  switch (phase) {
    case "order":
      return text(rules.pick_up ? "phase.order_pick_up" : "phase.order", { suit, needs });
    case "call": {
      if (!table.legal().includes("pass")) return text("phase.call_stuck", { needs });
      const any = table.legal().includes(`name:${table.upcard[1]}`);
      return text(any ? "phase.call_any" : "phase.call", { suit, needs });
    }
    case "bid":
      if (table.legal().length === 1) return text("phase.bid_pass");
      return table.bidder === null ? text("phase.bid") : text("phase.bid_over", { who: who(table.bidder), n: table.contract });
    case "discard":
      if (rules.making !== "dealer") return text("phase.discard");
      return text("phase.discard_more", { n: table.discards.length + 1, of: 4 });
    case "name":
      return rules.making === "dealer" ? text("phase.name_stuck") : text("phase.name", { needs });
    case "stay":
      if (table.legal().length === 1) {
        return text("phase.stay_forced", { score: table.scores[seat], limit: rules.forced_stay });
      }
      return text("phase.stay", { needs: needsWords(text, rules.stayer_needs) });
    case "play":
      return followWords(text, table);
    default:
      return text(`phase.${phase}`);
  }
}

function followWords(text, table) {
  const trick = table.tricks.at(-1);
  if (!trick?.led || trick.winner !== null) return text("phase.lead");
  const suit = text(`suit.${trick.led}`);
  const hand = table.hand(table.seat);
  const following = hand.filter((card) => suitOf(card, table.trump) === trick.led);
  if (!following.length) return text("phase.any", { suit });
  if (table.rules.illegal_play === "renege") return text("phase.renege", { suit });
  const bower = hand.find((card) => card[1] !== suitOf(card, table.trump));
  const asks = bower && (suitOf(bower, table.trump) === trick.led || bower[1] === trick.led);
  return asks ? text("phase.follow_bower", { suit, card: cardWords(bower, text) }) : text("phase.follow", { suit });
}

/** Why a card of the seat to act cannot be chosen. */
export function whyWords(text, table, card) {
  const why = table.whyNot(`${table.phase === "discard" ? "discard" : "play"}:${card}`);
  if (why.code === "upcard-stays") return text("why.upcard");
  if (why.code !== "follow-suit") return text("why.not_play");
  const suit = text(`suit.${why.suit}`);
  const bower = card[1] !== suitOf(card, table.trump);
  const values = { suit, card: cardWords(card, text), trump: text(`suit.${table.trump}`) };
  return text(bower ? "why.left_bower" : "why.follow", values);
}

/** An action on a button. */
export function actionWords(text, action) {
  const [kind, of] = action.split(":");
  if (kind === "name") return text(`suit.${of}`);
  if (kind === "bid") return text("action.bid", { n: of });
  if (kind === "play" || kind === "discard") return text(`action.${kind}`, { card: cardWords(of, text) });
  return text(`action.${kind}`);
}

/** What a seat did, for the list of what happened; `own` where the person sees the card laid down. */
export function saidWords(text, step, who, own) {
  const [kind, of] = step.action.split(":");
  const values = { who: who(step.seat) };
  if (kind === "name") values.suit = text(`suit.${of}`);
  if (kind === "bid") values.n = of;
  if (kind === "play" || (kind === "discard" && own)) values.card = cardWords(of, text);
  return text(`said.${kind === "discard" && own ? "discard_own" : kind}`, values);
}

/** Why a hand brought a seat what it did. */
export function scoreWords(text, line, end) {
  const reasons = {
    tricks: line.role === "maker" ? "made" : "stayed",
    contract: "made",
    penalty: line.role === "maker" ? "set" : "short",
    dropped: "dropped",
    renege: "reneged",
    walkover: "walkover",
  };
  const said = [text(`result.${reasons[line.rule]}`, { tricks: line.tricks, needs: line.needs })];
  if (line.rule === "contract") said.push(text("result.bid_only", { n: line.points }));
  if (end?.by === "sweep" && end.winners.includes(line.seat)) said.push(text("result.sweep"));
  return said.join("; ");
}

/** A change of score with its sign. */
export function signed(number) {
  return number > 0 ? `+${number}` : numberWords(number);
}

/** The class of a change of score, by whether it leads to the target. */
export function changeClass({ start, target }, delta) {
  return ["bad", "", "good"][Math.sign(delta * (target - start)) + 1];
}

/** Names in a row: "West, North and East". */
export function listed(text, names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${text("result.and")} ${names.at(-1)}`;
}
