/** Buck Euchre: the rules of every profile and house, hand records, views of a seat, observations, and bots. */

// --- Words and numbers -----------------------------------------------------------------------------------------------

export type ProfileName = "ohio" | "stick-the-dealer" | "dirty-clubs" | "bucked" | "bucked-3" | "cutthroat";
export type Phase = "exchange" | "order" | "call" | "bid" | "discard" | "name" | "stay" | "play";
/** A card such as `"9C"` or `"TH"`: rank 9 T J Q K A, then suit C D H S. */
export type Card = string;
export type Suit = "C" | "D" | "H" | "S";
export type Trump = Suit | "NT";
/** An action as hand records write it: `"play:9C"`, `"discard:9C"`, `"name:NT"`, `"bid:3"`, `"pass"`, `"stay"`, … */
export type Action = string;
/** A seat, 0..n-1 clockwise. */
export type Seat = number;

/** The 24 cards in the order of their numbers. */
export const CARDS: readonly Card[];
/** The 43 actions in the order of their numbers; a card stands bare. */
export const ACTIONS: readonly string[];
export const PHASES: readonly Phase[];
/** The version of the package. */
export const VERSION: string;
/** Hands after which the environment, and therefore `Match`, ends a match that nobody has won: 200. */
export const MAX_HANDS: number;

/** The suit a card belongs to under a trump: the left bower belongs to the trump suit. */
export function suitOf(card: Card, trump?: Trump | null): Suit;
/** How strong a card is where a suit was led: the highest wins, 0 cannot. */
export function strengthOf(card: Card, trump: Trump, led: Suit): number;

// --- Errors ----------------------------------------------------------------------------------------------------------

/** Bad input. The message says what is wrong, where, and what is allowed. */
export class BuckError extends Error {}
/** Rules that do not exist or cannot be played. */
export class RulesError extends BuckError {}
/** A hand record, a seat's view or a deal that cannot be read or replayed. */
export class RecordError extends BuckError {}
/** An action that the seat to act may not take. Nothing has changed. */
export class IllegalActionError extends BuckError {
  readonly why: WhyNot;
}
/** A bundle that is damaged, or was made for something else. */
export class BotError extends BuckError {}

// --- Rules -----------------------------------------------------------------------------------------------------------

/** Every house rule, by the names that YAML files and records use. Frozen. */
export interface Rules {
  readonly base: ProfileName;
  readonly seats: 3 | 4;
  readonly start: number;
  readonly target: number;
  readonly hands: number | null;
  readonly target_in_hands: boolean;
  readonly sweep_wins: boolean;
  readonly tie: "share" | "eldest" | "play_on";
  readonly first_dealer: "random" | Seat;
  readonly turn_up: boolean;
  readonly forced_clubs: boolean;
  readonly exchange: "none" | "first" | "every";
  readonly making: "order" | "bid" | "dealer";
  readonly pick_up: boolean;
  readonly discard: "before_stay" | "after_stay";
  readonly discard_upcard: boolean;
  readonly no_trump: boolean;
  readonly bid_min: number;
  readonly bid_max: number;
  readonly bid_circuits: "one" | "many";
  readonly all_pass: "redeal" | "no_trump" | "stick_dealer";
  readonly turned_down: "nobody" | "dealer" | "anyone";
  readonly may_drop: boolean;
  readonly stay_from: "maker" | "dealer";
  readonly forced_stay: number | null;
  readonly walkover: "tricks" | "points" | "nothing";
  readonly walkover_points: number;
  readonly made_contract: "tricks" | "bid";
  readonly lead: "dealer" | "maker";
  readonly illegal_play: "refuse" | "renege";
  readonly maker_needs: number | "bid";
  readonly stayer_needs: number;
  readonly maker_penalty: number;
  readonly stayer_penalty: number;
  readonly renege_penalty: number;
  readonly drop_points: number;
}

/** The name of a profile, or a profile as `base` and what differs from it. */
export type RulesSource = ProfileName | ({ base: ProfileName } & { [Field in keyof Rules]?: Rules[Field] });

/** The profiles by name. */
export const PROFILES: Readonly<Record<ProfileName, Rules>>;
/** What a field admits, in the order of `Rules`: a switch, some words, or whole numbers from `low` to `high`. */
export interface Field {
  readonly name: keyof Rules;
  readonly kind: "switch" | "words" | "number";
  /** The words it may be beside numbers: `["one", "many"]`, `["bid"]`, `["random"]`. */
  readonly words: readonly string[];
  readonly low?: number;
  readonly high?: number;
  /** Whether it may be null. */
  readonly optional: boolean;
  /** Its value in `ohio`. */
  readonly default: unknown;
}
/** Every field but `base`, for whoever lets people set up a house. */
export const FIELDS: readonly Field[];

/** The rules of a profile or a mapping, checked as Python checks them. RulesError names the key and what is allowed. */
export function parseRules(source: RulesSource | Rules): Rules;
/**
 * The rules of a house-rules file: lines of `key: value`, as `buck rules` and configs/rules/ have them, or JSON.
 * Of YAML it reads what such a file needs: one flat mapping of plain or quoted scalars, comments, and flow mappings in
 * braces on one line. RulesError names `where` and the line.
 */
export function parseHouseRules(text: string, where?: string): Rules;
/** The rules as a file of house rules: `base` and a line for each field that differs. */
export function formatHouseRules(rules: Rules): string;
/** The rules as a hand record names them: the profile, or `{base, …what differs}`. */
export function rulesRecord(rules: Rules): RulesSource;
/** The profile's name, or the base and what differs: `"bucked, target 15"`. */
export function rulesName(rules: Rules): string;
/** The phases in which these rules may ask for a decision, in the order of a hand. */
export function phasesOf(rules: Rules): readonly Phase[];
/** +1 where scores run up to the target, -1 where they run down. */
export function toward(rules: Rules): 1 | -1;

// --- Hand records and views ------------------------------------------------------------------------------------------

export interface Step {
  seat: Seat;
  phase: Phase;
  /** Sorted as ASCII strings; in a view it stands on the viewer's own steps only. */
  legal?: Action[];
  action: Action;
}

export interface Result {
  redeal: boolean;
  maker: Seat | null;
  trump: Trump | null;
  stayed: boolean[];
  tricks: number[];
  deltas: number[];
  scores: number[];
  winners: Seat[];
}

/** One hand, as `buck verify` reads it: a line of JSON. */
export interface HandRecord {
  rules: RulesSource;
  dealer: Seat;
  scores: number[];
  hands: Card[][];
  /** What is left of the pack, top first: [0] is the turned card. */
  rest: Card[];
  steps: Step[];
  result?: Result;
  match?: { id: string; hand: number };
}

/** A hand record as one seat knows it: what it does not see is null, others' discards are `discard:?`. */
export interface View extends Omit<HandRecord, "hands" | "rest" | "result"> {
  hands: (Card[] | null)[];
  rest: (Card | null)[];
}

/** What a seat knows when it is to act: the very object that a `cmd:` program is sent. All but `view` may be absent. */
export interface Position {
  view: View;
  seat?: Seat;
  phase?: Phase;
  legal?: Action[];
  /** Hands of the match scored before this one; 0 if absent. */
  hands_played?: number;
  /** Seats that have reneged in this hand, where the house plays reneges. */
  reneged?: Seat[];
  /** A number in [0, 1) of the decision's own, for bots that need chance; drawn if absent. */
  uniform?: number;
}

/** A position as the table makes it, with every key but perhaps `uniform`. */
export type FullPosition = Required<Omit<Position, "uniform">> & Pick<Position, "uniform">;

/** One record from a line of JSON, its form checked, its cards not yet. */
export function parseRecord(line: string, where?: string): HandRecord;
/** The records of a JSON-lines file. */
export function parseRecords(text: string, where?: string): HandRecord[];
/** Records as a JSON-lines file that `buck verify` accepts. */
export function formatRecords(records: Iterable<HandRecord>): string;
/** How many records there are, each confirmed by the engine and each match as a sequence; RecordError says otherwise. */
export function verifyRecords(records: Iterable<HandRecord>, where?: string): number;
/** The table of one record, also of a hand out of a match or one in progress; RecordError where the engine disagrees. */
export function confirmRecord(record: HandRecord, where?: string): Table;
/** The record as a seat knows it after so many steps, all by default. */
export function viewOf(record: HandRecord, seat: Seat, steps?: number): View;

// --- A hand at the table ---------------------------------------------------------------------------------------------

/** Why an action may not be taken: a code, for a text of your own, and what it is about. */
export type WhyNot =
  | { code: "hand-over" }
  | { code: "not-an-action" }
  /** The seat to act has to do something else. */
  | { code: "other-phase"; phase: Phase }
  /** The card is not in the hand. */
  | { code: "not-held"; card: Card }
  /** The led suit must be followed; with `leftBower` the card, or the only card that can follow, is the left bower. */
  | { code: "follow-suit"; card: Card; suit: Suit; leftBower: boolean }
  /** The suit turned down may not be named. */
  | { code: "turned-down"; suit: Suit }
  | { code: "no-no-trump" }
  /** The stuck dealer must name a trump. */
  | { code: "must-name" }
  | { code: "bid-too-low"; least: number }
  | { code: "bid-too-high"; most: number }
  /** At this score a seat may not drop. */
  | { code: "must-stay"; score: number }
  /** The house keeps the upcard in the dealer's hand. */
  | { code: "upcard-stays"; card: Card };

/** One card played. */
export interface Play {
  seat: Seat;
  card: Card;
  /** Whether it failed to follow suit, in a house that plays reneges. */
  reneged: boolean;
}

export interface Trick {
  leader: Seat;
  /** The suit led; the left bower's is trump. Null before the lead. */
  led: Suit | null;
  plays: Play[];
  /** Null while the trick is in progress, or where the hand ended with it by reneges. */
  winner: Seat | null;
}

/** What a hand brought one seat, and why. */
export interface ScoreLine {
  seat: Seat;
  role: "maker" | "stayer" | "everyone" | "dropped" | "reneged";
  /** Tricks that it had to take. */
  needs: number;
  tricks: number;
  /** Points toward the target: above 0 is good in every profile. */
  points: number;
  /**
   * The rule by which: `tricks` each trick a point; `contract` only what was bid; `penalty` too few tricks; `dropped`;
   * `renege`; `walkover` all others left the maker alone; `redeal`.
   */
  rule: "tricks" | "contract" | "penalty" | "dropped" | "renege" | "walkover" | "redeal";
  /** The change of the score, and the score after it. */
  delta: number;
  score: number;
}

/** Why a match ended with a hand: `sweep` all five tricks; `target`; `hands` the number of hands. */
export interface MatchEnd {
  winners: Seat[];
  by: "sweep" | "target" | "hands";
}

/** A deal: the cards given, or shuffled as the environment shuffles number `number` of `seed`. */
export type Deal = { dealer?: Seat; scores?: readonly number[]; handsPlayed?: number } & (
  | { hands: readonly (readonly Card[])[]; rest: readonly Card[] }
  /** The very deal of `buck_euchre_v0` with this seed; without `dealer` the dealer is drawn as it does. */
  | { seed: number | bigint; number?: number }
);

/** One hand, from the deal until it is scored; all cards are known. */
export class Table {
  /** Deal a hand. RecordError names cards that are missing, dealt twice, or no cards. */
  static deal(rules: Rules, deal: Deal): Table;
  /** Play a record again as far as its steps go; RecordError names the first step at which the engine disagrees. */
  static fromRecord(record: HandRecord, handsPlayed?: number): Table;

  readonly rules: Rules;
  readonly dealer: Seat;
  /** The seat to act; null when the hand is over. */
  readonly seat: Seat | null;
  readonly phase: Phase | "over";
  readonly over: boolean;
  /** Scores now: before the end of the hand those it began with, reneges apart. */
  readonly scores: readonly number[];
  readonly handsPlayed: number;
  readonly trump: Trump | null;
  readonly maker: Seat | null;
  /** In the auction the standing bidder. */
  readonly bidder: Seat | null;
  /** Tricks the maker undertakes, or the standing bid; 0 nobody. */
  readonly contract: number;
  /** The turned card, also after it is turned down or taken up. */
  readonly upcard: Card | null;
  readonly turnedDown: boolean;
  readonly passed: readonly Seat[];
  readonly stayed: readonly Seat[];
  readonly dropped: readonly Seat[];
  readonly reneged: readonly Seat[];
  readonly exchanged: readonly Seat[];
  /** The dealer's discards in order. */
  readonly discards: readonly Card[];
  /** Tricks taken, by seat. */
  readonly taken: readonly number[];
  /** Who has won the match with this hand. */
  readonly winners: readonly Seat[];
  /** All tricks so far, the one in progress last. */
  readonly tricks: readonly Trick[];
  /** Steps taken, oldest first. */
  readonly steps: readonly Step[];

  /** The cards a seat holds, lowest first. */
  hand(seat: Seat): Card[];
  /** The cards beside the hands as they were dealt, top first. */
  rest(): Card[];
  /** The legal actions of the seat to act, sorted as ASCII strings; empty when the hand is over. */
  legal(): Action[];
  /** What `apply` accepts: the legal actions, and where reneges are played every card held. */
  permitted(): Action[];
  /** Why the seat to act may not take an action; null where it is legal. */
  whyNot(action: Action): WhyNot | null;
  /** Take an action of the seat to act. IllegalActionError says why not; nothing has changed then. */
  apply(action: Action): void;
  /** A copy that goes its own way. */
  clone(): Table;
  /** The hand after its first so many steps: for undoing, and for stepping through a record. */
  at(steps: number): Table;
  /** The hand as a record; without a result while it goes on. */
  record(match?: { id: string; hand: number }): HandRecord;
  /** What a seat knows of the hand. */
  view(seat: Seat): View;
  /** What the seat to act knows, as `cmd:` programs and `decide` are given it. */
  position(uniform?: number): FullPosition;
  /** The result of a hand that is over. */
  result(): Result;
  /** What the hand brought each seat and why, of a hand that is over. */
  explain(): ScoreLine[];
  /** Why the match ended with this hand; null while it goes on. */
  matchEnd(): MatchEnd | null;
}

/** Hands until somebody has won, dealt as the environment deals them: match `seed` here is match `seed` there. */
export class Match {
  /** Without a seed one is drawn. `id` names the match in records; by default profile and seed. */
  constructor(rules: Rules, options?: { seed?: number | bigint; id?: string; maxHands?: number | null; dealer?: Seat });
  /**
   * The match of consecutive records, going on after them; the last may be in progress. Cards to come follow `seed`. The
   * first may be a hand alone, of no match and at any scores: `id` is null then.
   */
  static fromRecords(records: readonly HandRecord[], options?: { seed?: number | bigint; maxHands?: number | null }): Match;

  readonly rules: Rules;
  readonly id: string | null;
  readonly seed: bigint;
  /** The hand in progress, or the last. */
  readonly table: Table;
  /** Its place in the match, counted from 0, redeals included. */
  readonly number: number;
  /** Hands of the match that are over, oldest first, the current one included once it is. */
  readonly finished: readonly Table[];
  readonly over: boolean;
  /** Whether it ended at `maxHands` without a winner. */
  readonly truncated: boolean;
  readonly winners: readonly Seat[];
  /** The share of the match that each seat has won: 1 to the winner, equal parts where totals are equal. */
  readonly shares: readonly number[];
  /** Deal the next hand, once the one in progress is over and the match is not. */
  next(): Table;
  /** Take back the last `steps` decisions of the hand in progress. */
  undo(steps?: number): Table;
  /** Every hand as a record, the one in progress last. */
  records(): HandRecord[];
}

/** 64 random bits for a match. */
export function drawSeed(): bigint;

// --- Observations ----------------------------------------------------------------------------------------------------

/** One piece of an observation. */
export interface Piece {
  readonly name: string;
  readonly start: number;
  readonly size: number;
  readonly shape: readonly number[];
  readonly low: number;
  readonly high: number;
}
export const PIECES: readonly Piece[];
export const OBSERVATION_SIZE: number;
export const NUM_ACTIONS: number;

export interface Encoded {
  /** Laid out as `PIECES` says: the bytes that Python writes. */
  observation: Int8Array;
  /** 1 for each legal action. */
  mask: Int8Array;
  /** The names that the suits C D H S go by in the two arrays: `"CDHS"` where they are as they are. */
  suits: string;
}

/** What a network sees of a position; with `canonical` suits are relabelled so that trump comes first. */
export function encode(position: Position | View | Table, options?: { canonical?: boolean; seat?: Seat }): Encoded;

// --- Bots ------------------------------------------------------------------------------------------------------------

/** What a bot decided. */
export interface Decision {
  action: Action;
  /** How likely the bot rates each legal action; null where it has no policy. They sum to 1. */
  probabilities: Record<Action, number> | null;
  /** What it expects of the hand (`objective: points`) or of the match (`win`); null where it does not say. */
  value: number | null;
}

/** Whoever decides: for the browser table, for `runProgram`, for a server. A text alone is an action. */
export type Decide = (position: FullPosition) => Action | Decision | Promise<Action | Decision>;

/** A bot whose decisions come at once. */
export interface Bot {
  readonly name: string;
  /** The rules it plays; null: any. */
  readonly rules: Rules | null;
  /** The phases it can decide. */
  readonly phases: readonly Phase[];
  /** RecordError says what is wrong with a position, BotError whose rules or phases it is not for. */
  decide(position: Position | View | Table): Decision;
}
/** A bot that is waited for: it runs in onnxruntime. */
export interface AsyncBot extends Omit<Bot, "decide"> {
  decide(position: Position | View | Table): Promise<Decision>;
}

/** A legal action drawn evenly by the position's `uniform`. */
export function random(rules?: Rules): Bot;
/** `rules-v1`, the hand-written player of every house: the very actions of Python's. */
export function rulesV1(rules?: Rules): Bot;

export type Level = "easy" | "medium" | "hard";

/** The files of a bundle by name, or a function that reads one. `samples.jsonl` is needed unless `samples` is false. */
export type BundleFiles =
  | Readonly<Record<string, Uint8Array | ArrayBuffer>>
  | ((name: string) => Uint8Array | ArrayBuffer | Promise<Uint8Array | ArrayBuffer>);

export interface BundleOptions {
  /** Refuse a bundle of other rules. */
  rules?: Rules;
  /** How to choose: the likeliest action or one drawn by the probabilities; by default as the bundle says. */
  play?: "greedy" | "sampled";
  /** Play at a level that the bundle lists, from the bot itself: sampled at that level's temperature. */
  level?: Level;
  /** Whether `samples.jsonl` must be there too, and its checksum right; default true. A page need not load it. */
  samples?: boolean;
}

/** A bundle that `buck export` wrote, run by this package. */
export interface BundleBot extends Bot {
  readonly rules: Rules;
  /** What `bot.json` says. */
  readonly card: BundleCard;
  /** The checksum of the model. */
  readonly sha256: string;
  readonly play: "greedy" | "sampled";
  readonly temperature: number;
  /** The levels that the bundle lists. */
  readonly levels: readonly Level[];
  /** The same bot at another level, or at a temperature: it shares the weights. */
  at(level: Level | { temperature: number; play?: "greedy" | "sampled" }): BundleBot;
  /** Log-probabilities (43) of the legal actions, -Infinity elsewhere, and the value, of one encoded position. */
  policy(encoded: Encoded): { logProbabilities: Float32Array; value: number };
}

/** The part of `bot.json` that hosts use; all of it is there. */
export interface BundleCard {
  readonly format: string;
  readonly made_with: string;
  readonly license: string;
  readonly phases: readonly Phase[];
  readonly objective: "points" | "win";
  readonly play: "greedy" | "sampled";
  readonly level: Level | null;
  readonly temperature: number;
  readonly precision: "float32" | "int8";
  readonly canonical: boolean;
  readonly levels: readonly { level: Level; departs: number; temperature: number }[];
  readonly strength: readonly Record<string, unknown>[];
  readonly [key: string]: unknown;
}

/** What this package uses of onnxruntime-web or onnxruntime-node: pass the module. */
export interface OnnxRuntime {
  InferenceSession: { create(model: Uint8Array, options?: object): Promise<unknown> };
  Tensor: new (type: "int8", data: Int8Array, dims: number[]) => unknown;
}

/**
 * The bot of a bundle. BotError says what is wrong: a file missing, truncated or exchanged, another version, other
 * rules, or a model that this package does not run by itself.
 */
export function loadBundle(files: BundleFiles, options?: BundleOptions): Promise<BundleBot>;
/** The same by onnxruntime, for a bundle of any model. */
export function loadBundle(files: BundleFiles, options: BundleOptions & { onnxruntime: OnnxRuntime }): Promise<AsyncBot & Pick<BundleBot, "rules" | "card" | "sha256" | "play" | "temperature">>;
