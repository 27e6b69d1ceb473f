/** Random numbers keyed by what they are for: Philox4x32-10, as the environments draw them. */

import { times } from "./bits.js";

const LOW = 0xffffffffn;

/** Four uint32 of a 64-bit key and a 128-bit counter given as two numbers of 64 bits. */
function philox(key, high, low) {
  let [k0, k1] = words(key);
  let [c0, c1] = words(low);
  let [c2, c3] = words(high);
  for (let round = 0; round < 10; round++) {
    const [high0, low0] = product(0xd2511f53, c0);
    const [high2, low2] = product(0xcd9e8d57, c2);
    [c0, c1, c2, c3] = [(high2 ^ c1 ^ k0) >>> 0, low2, (high0 ^ c3 ^ k1) >>> 0, low0];
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return [c0, c1, c2, c3];
}

const words = (value) => [Number(BigInt(value) & LOW), Number((BigInt(value) >> 32n) & LOW)];

/** The high and the low half of the product of two uint32. */
function product(a, b) {
  const whole = BigInt(a) * BigInt(b);
  return [Number(whole >> 32n), Number(whole & LOW)];
}

/** A number 0..limit-1 of a uint32. */
const below = (word, limit) => Math.floor((word * limit) / 4294967296);

/** The 24 cards of one deal of a seed, shuffled. */
export function shuffle(seed, number) {
  const drawn = times(6, (block) => philox(seed, number, 4 * block)).flat();
  const pack = times(24, (card) => card);
  for (let last = 23; last > 0; last--) {
    const chosen = below(drawn[23 - last], last + 1);
    [pack[chosen], pack[last]] = [pack[last], pack[chosen]];
  }
  return pack;
}

/** The dealer of a match that begins with this deal (RULES §1.8). */
export const drawDealer = (seed, number, seats) => below(philox(seed, number, 1)[0], seats);

/** 64 random bits. */
export const drawSeed = () => crypto.getRandomValues(new BigUint64Array(1))[0];
