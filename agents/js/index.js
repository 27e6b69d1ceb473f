/** Buck Euchre in JavaScript: see index.d.ts for what everything takes and returns. */

export { BotError, BuckError, IllegalActionError, RecordError, RulesError } from "./base/errors.js";
export { VERSION } from "./base/versions.js";
export { ACTIONS, NUM_ACTIONS } from "./game/actions.js";
export { CARDS, strengthOf, suitOf } from "./game/cards.js";
export { parseHouseRules } from "./game/house_text.js";
export { FIELDS, PROFILES, formatHouseRules, parseRules, phasesOf, rulesName, rulesRecord, toward } from "./game/rules.js";
export { drawSeed } from "./game/shuffle.js";
export { PHASES } from "./game/state.js";
export { MAX_HANDS, Match, confirmRecord, verifyRecords } from "./records/match.js";
export { formatRecords, parseRecord, parseRecords } from "./records/schema.js";
export { Table } from "./records/table.js";
export { viewOf } from "./records/views.js";
export { encode } from "./observation/encode.js";
export { OBSERVATION_SIZE, PIECES } from "./observation/pieces.js";
export { loadBundle } from "./bots/bundle.js";
export { random } from "./bots/random.js";
export { rulesV1 } from "./rules_v1/player.js";
