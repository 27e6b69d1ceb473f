/** Why the seat to act may not take an action: a code and what it is about, and the same in one English sentence. */

import { BID, DROP, NAME, NUM_ACTIONS, PASS } from "../game/actions.js";
import { CARDS, NO_TRUMP, SUIT, TRUMPS, leftBower } from "../game/cards.js";
import { legal } from "../game/engine.js";
import { leastBid, turnedSuit } from "../game/making.js";
import { ledCard, legalPlay } from "../game/playing.js";
import { legalTexts } from "./views.js";

/** Null where the action is legal. `action` is a number; undefined for a text that is no action of the phase. */
export function whyNot(table, rules, action) {
  if (table.phase === "over") return { code: "hand-over" };
  if (action === undefined || action < 0 || action >= NUM_ACTIONS) return { code: "not-an-action" };
  if (legal(table, rules).includes(action)) return null;
  const phase = table.phase;
  if (action < PASS && (phase === "play" || phase === "discard")) {
    if (!((table.hand[table.seat] >> action) & 1)) return { code: "not-held", card: CARDS[action] };
    return phase === "play" ? mustFollow(table, action) : { code: "upcard-stays", card: CARDS[action] };
  }
  if (phase === "call" && action === NAME + turnedSuit(table)) return { code: "turned-down", suit: TRUMPS[turnedSuit(table)] };
  if ((phase === "call" || phase === "name") && action === NAME + NO_TRUMP) return { code: "no-no-trump" };
  if ((phase === "call" || phase === "name") && action === PASS) return { code: "must-name" };
  if (phase === "bid" && action >= BID && action < BID + 8) {
    const least = leastBid(table, rules);
    return action - BID + 1 < least ? { code: "bid-too-low", least } : { code: "bid-too-high", most: rules.bid_max };
  }
  if (phase === "stay" && action === DROP) return { code: "must-stay", score: table.scores[table.seat] };
  return { code: "other-phase", phase };
}

/** `leftBower`: the card is the left bower, or only the left bower can follow. */
function mustFollow(table, card) {
  const trump = table.trump;
  const suit = SUIT[trump][ledCard(table)];
  const bower = leftBower(trump);
  return { code: "follow-suit", card: CARDS[card], suit: TRUMPS[suit], leftBower: card === bower || legalPlay(table) === 1 << bower };
}

const SENTENCES = {
  "hand-over": () => "the hand is over",
  "not-an-action": () => "that is no action of this phase",
  "other-phase": (why) => `the seat has to ${why.phase}`,
  "not-held": (why) => `it does not hold ${why.card}`,
  "follow-suit": (why) => `it must follow ${why.suit}`,
  "turned-down": (why) => `${why.suit} was turned down`,
  "no-no-trump": () => "this house has no no-trump",
  "must-name": () => "it must name a trump",
  "bid-too-low": (why) => `the least bid is ${why.least}`,
  "bid-too-high": (why) => `the highest bid is ${why.most}`,
  "must-stay": (why) => `at a score of ${why.score} it may not drop`,
  "upcard-stays": (why) => `${why.card} was turned and stays in the hand`,
};

/** The reason in words, with the legal actions. */
export function refusal(table, rules, text, why) {
  return `seat ${table.seat} may not ${text} in ${table.phase}: ${SENTENCES[why.code](why)}; legal: ${legalTexts(table, rules).join(", ")}`;
}
