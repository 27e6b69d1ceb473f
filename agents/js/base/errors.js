/** The errors of this package: each message says what is wrong, where, and what is allowed. */

export class BuckError extends Error {
  constructor(message) {
    super(message);
    this.name = new.target.name;
  }
}
export class RulesError extends BuckError {}
export class RecordError extends BuckError {}
export class BotError extends BuckError {}
export class IllegalActionError extends BuckError {
  constructor(message, why) {
    super(message);
    this.why = why;
  }
}

/** A value for an error, its end left out where it is long. */
export function quoted(value) {
  const text = typeof value === "string" ? `'${value}'` : JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
