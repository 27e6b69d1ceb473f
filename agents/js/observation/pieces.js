/** The pieces of an observation in order: name, shape, lowest and highest value; a place is computed, never typed. */

const DECLARED = [
  ["phase", [8]], ["actor", [4]], ["dealer", [4]], ["maker", [4]], ["passed", [3, 4]], ["exchanged", [4]], ["kept", [4]],
  ["stayed", [4]], ["dropped", [4]], ["reneged", [4]], ["leaders", [5, 4]], ["bids", [8, 4]], ["contract", [8]],
  ["scores", [4], -128, 127], ["led", [4]], ["tricks", [4, 5]], ["trump", [5]], ["no_maker", [1]], ["trick_number", [5]],
  ["hands_left", [1], 0, 127], ["hand", [24]], ["taken", [24]], ["discards", [24], 0, 4], ["laid", [24]], ["upcard", [24]],
  ["trick", [24]], ["played_by", [4, 24]], ["played_in", [5, 24]],
];

let end = 0;
export const PIECES = Object.freeze(DECLARED.map(([name, shape, low = 0, high = 1]) => {
  const size = shape.reduce((product, length) => product * length, 1);
  const start = end;
  end += size;
  return Object.freeze({ name, start, size, shape: Object.freeze(shape), low, high });
}));

/** D, the length of an observation. */
export const OBSERVATION_SIZE = end;

/** Where each piece starts. */
export const AT = Object.fromEntries(PIECES.map((piece) => [piece.name, piece.start]));
