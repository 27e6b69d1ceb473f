/** Files that leave and come: hand records, one JSON object a line, as `buck verify` reads them. */

import { confirmRecord, formatRecords, parseRecord, parseRecords } from "../../index.js";

/** Hand a match to the person as a file. */
export function saveRecords(match) {
  const name = `${(match.id ?? "hands").replace(/[^\w.-]+/g, "-")}.jsonl`;
  const address = URL.createObjectURL(new Blob([formatRecords(match.records())], { type: "application/jsonl" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The records of a file, each confirmed by itself: a match may be unfinished or cut. RecordError says what is wrong. */
export async function readRecordFile(file) {
  const records = parseRecords(await file.text(), file.name);
  records.forEach((record, place) => confirmRecord(record, `${file.name}:${place + 1}`));
  return records;
}

/** The hand that a link of a report brings, in `#hand=…` as base64url of JSON, or null. */
export function linkedHand(address) {
  const found = new URLSearchParams(address.hash.slice(1)).get("hand");
  if (!found) return null;
  const bytes = Uint8Array.from(atob(found.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  return parseRecord(new TextDecoder().decode(bytes), "#hand");
}
