/** A deal in record notation, checked. */

import { RecordError, quoted } from "../base/errors.js";
import { isWhole } from "../base/json.js";
import { CARDS, cardId } from "../game/cards.js";

/** The pack that deals these hands; RecordError names what is missing, twice, or no card. */
export function packOf(rules, hands, rest, where = "deal") {
  const wanted = 24 - 5 * rules.seats;
  if (!Array.isArray(hands) || hands.length !== rules.seats) throw new RecordError(`${where}: hands: ${rules.base} seats ${rules.seats}`);
  hands.forEach((hand, seat) => {
    if (!Array.isArray(hand) || hand.length !== 5) throw new RecordError(`${where}: hands: seat ${seat} needs 5 cards`);
  });
  if (!Array.isArray(rest) || rest.length !== wanted) throw new RecordError(`${where}: rest: needs ${wanted} cards`);
  const pack = [];
  for (const text of [...hands.flat(), ...rest]) {
    const card = cardId(text);
    if (card === undefined) throw new RecordError(`${where}: ${quoted(text)} is not a card: rank 9 T J Q K A then suit C D H S, as in 'JD'`);
    if (pack.includes(card)) throw new RecordError(`${where}: ${CARDS[card]} is dealt twice`);
    pack.push(card);
  }
  return pack;
}

/** RecordError where a dealer, scores or a number of hands are none of these rules. */
export function checkPlace(rules, dealer, scores, handsPlayed, where = "deal") {
  if (!isWhole(dealer) || dealer < 0 || dealer >= rules.seats)
    throw new RecordError(`${where}: dealer: ${quoted(dealer)} is no seat; allowed: 0 to ${rules.seats - 1}`);
  if (!Array.isArray(scores) || scores.length !== rules.seats || !scores.every((score) => isWhole(score) && Math.abs(score) <= 1e9))
    throw new RecordError(`${where}: scores: ${quoted(scores)} is not a whole number for each of ${rules.seats} seats`);
  if (!isWhole(handsPlayed) || handsPlayed < 0 || handsPlayed >= 2 ** 31)
    throw new RecordError(`${where}: hands_played: ${quoted(handsPlayed)} is not a whole number of at least 0`);
}
