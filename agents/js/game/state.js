/** The state of one table, field by field as Python's TABLE record has it; seats are bits in sets. */

export const NONE = -1;
/** A card that exists but is not known, in a table as one seat sees it. */
export const HIDDEN = -2;
export const CARD = 31;
/** A play is `32 * seat + card`. */
export const SEAT_SHIFT = 5;
// The places of `passed`.
export const IN_ORDER = 0;
export const IN_CALL = 1;
export const IN_AUCTION = 2;
export const PHASES = Object.freeze(["exchange", "order", "call", "bid", "discard", "name", "stay", "play"]);

export function makeState(scores, handsPlayed) {
  return {
    scores: [0, 1, 2, 3].map((seat) => scores[seat] ?? 0),
    hand: [0, 0, 0, 0],
    laid: [0, 0, 0, 0],
    handsPlayed,
    rest: Array(9).fill(NONE),
    discards: Array(4).fill(NONE),
    plays: [],
    starts: Array(6).fill(NONE),
    tricks: [0, 0, 0, 0],
    deltas: [0, 0, 0, 0],
    bidders: Array(8).fill(NONE),
    phase: "over",
    seat: NONE,
    dealer: 0,
    maker: NONE,
    trump: NONE,
    contract: 0,
    passed: [0, 0, 0],
    exchanged: 0,
    kept: 0,
    stayed: 0,
    dropped: 0,
    reneged: 0,
    trick: 0,
    winners: 0,
  };
}
