/** Which card to play: each is tried by its odds to win this trick and by what the cards that stay behind may win. */

import { count } from "../game/bits.js";
import { FOLLOW, NO_TRUMP, STRENGTH, SUIT, cardsIn } from "../game/cards.js";
import { needs } from "../game/facts.js";
import { CARD, SEAT_SHIFT } from "../game/state.js";
import { MISS, seenCards, shownVoids, survives } from "./chances.js";
import { worth } from "./stakes.js";

// agents/rules_v1/card_play.py says more.
const TRUMP_ON_LEAD = 0.35;
const TRUMP_OFF_LEAD = 0.32;
const PLAIN_WITH_TRUMPS = 0.5;
const PLAIN_WITHOUT = 0.3;
const OUT_OF_PLAY = 0.6;
const CHEAP = 1e-3;

export function bestCard(table, rules, seat, options, stakes) {
  const { trump } = table;
  const hand = table.hand[seat];
  const played = table.plays.slice(table.starts[table.trick]);
  const leading = played.length === 0;
  const left = 4 - table.trick; // tricks after this one
  const voids = shownVoids(table);
  const hidden = 0xffffff & ~seenCards(table, rules, seat);
  const others = ((1 << rules.seats) - 1) & ~(table.dropped | table.reneged | (1 << seat));
  const led = leading ? 0 : SUIT[trump][played[0] & CARD];
  let after = others; // who has yet to play to this trick
  let best = 0; // the strength of the card that holds the trick
  for (const play of played) {
    const player = play >> SEAT_SHIFT;
    after &= ~(1 << player);
    if (!((table.reneged >> player) & 1)) best = Math.max(best, STRENGTH[trump][led][play & CARD]);
  }
  const inPlay = (left + 1) * count(after) + left * count(others & ~after);
  const unseen = inPlay + Math.trunc((count(hidden) - inPlay) * OUT_OF_PLAY + 0.5);
  const drawn = leading ? drawRound(trump, hidden, unseen, left + 1, count(others)) : hidden;
  const future = lookAhead(trump, hand, left, hidden, drawn, unseen - count(after), others, voids);
  const makes = seat === table.maker;
  const needed = needs(table, rules, seat);
  const taken = table.tricks[seat];
  let chosen = -1;
  let most = -1e9;
  for (const card of options) {
    const suit = SUIT[trump][card];
    const inSuit = leading ? suit : led;
    const power = STRENGTH[trump][inSuit][card];
    const wins = power > best ? survives(trump, inSuit, card, left + 1, hidden, unseen, after, voids) : 0;
    const k = leading && suit === trump ? 2 : 0;
    const onLead = future.sums[k] - future.of[card][k];
    const offLead = future.sums[k + 1] - future.of[card][k + 1];
    let value = wins * toCome(onLead, left, taken + 1, rules, makes, needed, stakes);
    value += (1 - wins) * toCome(offLead, left, taken, rules, makes, needed, stakes);
    value -= CHEAP * STRENGTH[trump][suit][card];
    if (value > most) {
      most = value;
      chosen = card;
    }
  }
  return chosen;
}

/** The cards out after a trump lead: each seat that is likely to hold one follows with the lowest. */
function drawRound(trump, hidden, unseen, n, others) {
  if (trump === NO_TRUMP) return hidden;
  const trumps = cardsIn(hidden & FOLLOW[trump][trump]).sort((a, b) => STRENGTH[trump][trump][a] - STRENGTH[trump][trump][b]);
  const drawn = Math.min(Math.trunc(others * (1 - MISS[n][unseen][trumps.length]) + 0.5), trumps.length);
  return trumps.slice(0, drawn).reduce((cards, card) => cards & ~(1 << card), hidden);
}

/** What each card may win after this trick, and the sums: on lead and off lead, then the same with trumps drawn. */
function lookAhead(trump, hand, left, hidden, drawn, unseen, others, voids) {
  const trumps = trump === NO_TRUMP ? 0 : count(hand & FOLLOW[trump][trump]);
  const out = Math.max(unseen, left * count(others));
  const of = {};
  const sums = [0, 0, 0, 0];
  for (const card of cardsIn(hand)) {
    const suit = SUIT[trump][card];
    const chances = (cards) => {
      const wins = survives(trump, suit, card, left, cards, out, others, voids);
      if (suit === trump) return [wins + (1 - wins) * TRUMP_ON_LEAD, wins + (1 - wins) * TRUMP_OFF_LEAD];
      return [wins, wins * (trumps ? PLAIN_WITH_TRUMPS : PLAIN_WITHOUT)];
    };
    const now = chances(hidden);
    of[card] = [...now, ...(drawn === hidden ? now : chances(drawn))];
    of[card].forEach((chance, i) => (sums[i] += chance));
  }
  return { of, sums };
}

/** The worth of the tricks taken and those to come, which are `left` throws of a coin that brings `mean`. */
function toCome(mean, left, taken, rules, makes, needed, stakes) {
  const p = left ? Math.min(mean / left, 0.97) : 0;
  const q = 1 - p;
  let chance = 1;
  for (let i = 0; i < left; i++) chance *= q;
  let value = 0;
  for (let won = 0; won <= left; won++) {
    value += chance * worth(rules, makes, needed, taken + won, stakes);
    chance *= ((p / q) * (left - won)) / (won + 1);
  }
  return value;
}
