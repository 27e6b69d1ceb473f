/** Protocol-buffer messages as far as ONNX files use them: the fields of a message by number. */

import { BotError } from "../base/errors.js";

const VARINT = 0;
const BYTES = 2;
const FIXED = { 1: 8, 5: 4 };

/** The values of every field, in order: a number where it is a varint, else its bytes. */
export function parseMessage(bytes, where) {
  const fields = new Map();
  const reader = new Reader(bytes, where);
  while (!reader.done) {
    const key = reader.varint();
    const kind = key & 7;
    if (kind !== VARINT && kind !== BYTES && !FIXED[kind]) reader.refuse();
    const value = kind === VARINT ? reader.varint() : reader.take(FIXED[kind] ?? reader.varint());
    const field = Math.floor(key / 8);
    if (fields.has(field)) fields.get(field).push(value);
    else fields.set(field, [value]);
  }
  return fields;
}

/** The numbers of a repeated integer field, packed or one by one. */
export function integers(values, where) {
  return (values ?? []).flatMap((value) => {
    if (typeof value === "number") return value;
    const reader = new Reader(value, where);
    const numbers = [];
    while (!reader.done) numbers.push(reader.varint());
    return numbers;
  });
}

class Reader {
  #bytes;
  #at = 0;
  #where;

  constructor(bytes, where) {
    this.#bytes = bytes;
    this.#where = where;
  }

  get done() { return this.#at >= this.#bytes.length; }

  /** A number of 64 bits, signed. */
  varint() {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.done) this.refuse();
      const byte = this.#bytes[this.#at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
    return this.refuse();
  }

  take(length) {
    if (length < 0 || this.#at + length > this.#bytes.length) this.refuse();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  refuse() {
    throw new BotError(`${this.#where}: is no ONNX file: it is cut short or holds something else`);
  }
}
