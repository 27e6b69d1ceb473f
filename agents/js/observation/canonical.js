/** Canonical suits: the rule is in agents/README.md in words, and in `suits` of every bundle's bot.json. */

import { heldOrPlayed, takenUp } from "../game/facts.js";
import { CARD, NONE } from "../game/state.js";
import { PLAIN, labelsWith, relabelledCard, relabelledCards } from "./labels.js";

const TRUMP_WORTH = [3, 3, 10, 4, 5, 6]; // 9 T J Q K A as trumps; the left bower is worth 8

/** The canonical labels for one seat's view. */
export function canonicalSuits(table, rules, viewer) {
  const compared = comparable(table, rules, viewer);
  let first = NONE;
  if (table.trump >= 0 && table.trump < 4) first = table.trump;
  else if (rules.turn_up && rules.making === "order") first = Math.floor(table.rest[0] / 6);
  if (first !== NONE) {
    const second = first === 0 || first === 3 ? 1 : 0;
    return better(compared, labelsWith(first, second), labelsWith(first, 3 - second));
  }
  let best = -1;
  let labels = PLAIN;
  for (let suit = 0; suit < 4; suit++) {
    const worth = worthOf(compared.sets[0], suit);
    for (let second = 0; second < 4; second++) {
      if (second === suit || second === 3 - suit || worth < best) continue;
      const other = labelsWith(suit, second);
      labels = worth > best ? other : better(compared, labels, other);
      best = worth;
    }
  }
  return labels;
}

function worthOf(cards, trump) {
  const own = TRUMP_WORTH.reduce((sum, worth, rank) => ((cards >> (6 * trump + rank)) & 1 ? sum + worth : sum), 0);
  return (cards >> (6 * (3 - trump) + 2)) & 1 ? own + 8 : own;
}

/** All that a view shows of the suits, in the order in which it is compared: sets of cards, then cards one by one. */
const comparable = (table, rules, viewer) => ({
  sets: [heldOrPlayed(table, viewer), table.hand[viewer], takenUp(table, rules, viewer), table.laid[viewer]],
  cards: [
    ...(viewer === table.dealer ? table.discards.filter((card) => card >= 0) : []),
    ...(rules.turn_up ? [table.rest[0]] : []),
    ...table.plays.map((play) => play & CARD),
  ],
});

/** Of two labellings the one whose view comes later; where views compare equal, the first. */
function better({ sets, cards }, a, b) {
  const seen = (labels) => [...sets.map((set) => relabelledCards(set, labels)), ...cards.map((card) => relabelledCard(card, labels))];
  const other = seen(b);
  const difference = seen(a).map((one, i) => one - other[i]).find(Boolean);
  return difference < 0 ? b : a;
}
