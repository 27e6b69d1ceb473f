/** Every decision before the play: the hand is rated under each possible trump, and held against what a pass is worth. */

import { BID, DROP, EXCHANGE, KEEP, NAME, ORDER, PASS, STAY } from "../game/actions.js";
import { count } from "../game/bits.js";
import { FOLLOW, NO_TRUMP, STRENGTH, SUIT, cardsIn } from "../game/cards.js";
import { upcardTaken } from "../game/facts.js";
import { turnedSuit } from "../game/making.js";
import { EVERYONE, MAKER, STAYER, expected, strengthOf } from "./hand_value.js";

// agents/rules_v1/making.py says what each number means and how it was found.
const KEEP_FROM = 0.3;
const ORDER_FROM = [0.4, 0]; // the second of two: where a stayer needs more than one trick
const CALL_FROM = [0.4, -4.05];
const CALL_LATER = 0.4;
const BID_FROM = -0.48;
const BID_EARLY = -0.12;
const BID_FROM_CIRCUITS = -1.5;
const STAY_FROM = [-0.1, -2];
const STAY_FIRST = [0, -0.8];
const UNBEATEN = [0.5, 0.5, 0.75, 0.9, 0.97, 1];
const DROPS_TOO = 0.5;
const GIFT = 0.1;
const MATCH_GIFT = 10;

const isHard = (rules) => Number(rules.stayer_needs > 1);

/** The action of a seat in any phase but the play. */
export function bestBeforePlay(table, rules, seat, options, stakes) {
  const rated = rateTrumps(table, rules, seat, options, stakes);
  const { best, trump, needs } = rated;
  const hard = isHard(rules);
  switch (table.phase) {
    case "exchange":
      return best > KEEP_FROM ? KEEP : EXCHANGE;
    case "order":
      return rated.inTurned > (hard ? ORDER_FROM[1] : Math.max(ORDER_FROM[0], CALL_LATER * rated.other)) ? ORDER : PASS;
    case "call":
      return !options.includes(PASS) || best > CALL_FROM[hard] ? NAME + trump : PASS;
    case "name":
      return NAME + trump;
    case "discard": {
      const spare = options.filter((card) => !((rated.kept >> card) & 1));
      return least(spare.length ? spare : options, table.hand[seat], trump);
    }
    case "stay":
      return !options.includes(DROP) || best > dropping(table, rules) ? STAY : DROP;
    default:
      if (rules.bid_circuits !== "one") return needs <= rules.bid_max && best > BID_FROM_CIRCUITS ? BID + needs - 1 : PASS;
      return bestBid(table, rules, seat, rated, stakes);
  }
}

/** The best trump and what it promises, and what the turned suit and the best other suit promise. */
function rateTrumps(table, rules, seat, options, stakes) {
  const turned = rules.turn_up ? turnedSuit(table) : -1;
  const { role, needs } = undertaking(table, rules, seat);
  const rated = { role, needs, best: -1e9, other: -1e9, inTurned: -1e9, strength: 0, trump: 0, kept: 0 };
  for (let suit = 0; suit < 5; suit++) {
    if (!isPossible(table, rules, suit, options)) continue;
    let hand = table.hand[seat];
    let takenUp = -1;
    if (takesUp(table, rules, suit, turned)) {
      if (seat !== table.dealer) takenUp = table.rest[0];
      else if (table.discards[0] < 0) hand |= 1 << table.rest[0];
    }
    hand = bestFive(hand, suit);
    const strength = strengthOf(table, rules, seat, hand, suit, role, takenUp);
    const value = expected(strength, role, suit, needs, rules, stakes);
    if (suit === turned) rated.inTurned = value;
    else rated.other = Math.max(rated.other, value);
    if (value > rated.best || (value === rated.best && strength > rated.strength))
      Object.assign(rated, { best: value, strength, trump: suit, kept: hand });
  }
  return rated;
}

function undertaking(table, rules, seat) {
  const follows = table.phase === "discard" && table.maker >= 0 && table.maker !== seat;
  if (table.phase === "stay" || follows) return { role: STAYER, needs: rules.stayer_needs };
  if (rules.making === "dealer") return { role: EVERYONE, needs: rules.stayer_needs };
  if (rules.making !== "bid") return { role: MAKER, needs: rules.maker_needs };
  if (table.phase === "name") return { role: MAKER, needs: table.contract };
  return { role: MAKER, needs: Math.max(table.contract + 1, rules.bid_min) };
}

/** Whether a suit is trump or may become so by this decision or a later one. */
function isPossible(table, rules, suit, options) {
  if (table.trump >= 0) return suit === table.trump;
  if (table.phase === "call") return options.includes(NAME + suit);
  return suit !== NO_TRUMP || rules.no_trump;
}

function takesUp(table, rules, suit, turned) {
  if (table.trump >= 0) return upcardTaken(table, rules);
  return table.phase === "order" && rules.pick_up && suit === turned;
}

function bestFive(hand, trump) {
  let kept = hand;
  while (count(kept) > 5) kept &= ~(1 << least(cardsIn(kept), kept, trump));
  return kept;
}

/** The card of some, out of a hand, that helps it least under a trump. */
const least = (cards, hand, trump) => cards.reduce((worst, card) => (use(hand, card, trump) < use(hand, worst, trump) ? card : worst));

/** Trumps, then aces, then kings that are guarded; rather a void than a low card. */
function use(hand, card, trump) {
  const suit = SUIT[trump][card];
  if (suit === trump) return 20 + STRENGTH[trump][suit][card];
  const rank = card % 6;
  if (rank === 5) return 15;
  if (trump === NO_TRUMP) return rank + 6 * ((hand >> (6 * suit + 5)) & 1);
  if (count(hand & FOLLOW[trump][suit]) === 1) return rank - 2;
  return rank === 4 ? rank + 3 : rank;
}

function dropping(table, rules) {
  const hard = isHard(rules);
  if (table.stayed) return rules.drop_points + STAY_FROM[hard];
  let gift = 0;
  if (rules.walkover === "tricks") gift = 5 + (rules.sweep_wins ? MATCH_GIFT : 0);
  else if (rules.walkover === "points") gift = rules.walkover_points;
  const toDecide = rules.seats - 2 - count(table.dropped);
  for (let i = 0; i < toDecide; i++) gift *= DROPS_TOO;
  return rules.drop_points + STAY_FIRST[hard] - (GIFT * gift) / (rules.seats - 1);
}

/** The bid that promises most above what passing does: a higher one is beaten less often; or pass. */
function bestBid(table, rules, seat, { trump, strength, needs }, stakes) {
  const toCome = (table.dealer - seat + rules.seats) % rules.seats;
  let chosen = PASS;
  let most = 0;
  for (let bid = needs; bid <= Math.min(rules.bid_max, 5); bid++) {
    let value = expected(strength, MAKER, trump, bid, rules, stakes) - BID_FROM - BID_EARLY * toCome;
    for (let i = 0; i < toCome; i++) value *= UNBEATEN[bid];
    if (value > most) {
      most = value;
      chosen = BID + bid - 1;
    }
  }
  return chosen;
}
