// Rows of a table as a file of JSON lines. Rows are appended, since several shards write to one file; of rows with the same key,
// the last one counts.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

/**
 * The rows of a file in order, without those that a later one replaces.
 * @template Row
 * @param {string} file
 * @param {(row: Row) => string} keyOf
 * @returns {Row[]} none when there is no file
 */
export function readRows(file, keyOf) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return [...new Map(lines.map((line) => [keyOf(JSON.parse(line)), JSON.parse(line)])).values()];
}

/** @param {string} file @param {object} row */
export const appendRow = (file, row) => appendFileSync(file, `${JSON.stringify(row)}\n`);

/** @param {string} file @param {readonly object[]} rows */
export const writeRows = (file, rows) => writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
