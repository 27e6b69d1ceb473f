/** Sets as bits, and seats clockwise: what the engine's parts share. */

export function count(mask) {
  let n = 0;
  for (let rest = mask; rest; rest &= rest - 1) n++;
  return n;
}

/** The seat so many places clockwise (RULES §1.7). */
export const left = (seat, rules, steps) => (seat + steps) % rules.seats;

/** The next seat clockwise that is not out; the seat itself where all others are. */
export function nextIn(seat, rules, out) {
  for (let steps = 1; steps <= rules.seats; steps++) {
    const next = left(seat, rules, steps);
    if (!((out >> next) & 1)) return next;
  }
  return seat;
}

export const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));

export const seatsIn = (mask) => [0, 1, 2, 3].filter((seat) => (mask >> seat) & 1);
