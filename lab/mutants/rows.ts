// Rows of a table as a file of JSON lines. Rows are appended, since several shards write to one file; of rows with the same key,
// the last one counts.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

/** The rows of a file in order, without those that a later one replaces. @returns none when there is no file */
export function readRows<Row>(file: string, keyOf: (row: Row) => string): Row[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return [...new Map(lines.map((line) => [keyOf(JSON.parse(line)), JSON.parse(line)])).values()];
}

export const appendRow = (file: string, row: object) => appendFileSync(file, `${JSON.stringify(row)}\n`);

export const writeRows = (file: string, rows: readonly object[]) =>
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
