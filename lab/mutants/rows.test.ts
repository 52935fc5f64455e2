import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { appendRow, readRows, writeRows } from "./rows.ts";

interface Row {
  name: string;
  repetition: number;
  problem: string | null;
}

let folder = "";
beforeEach(() => {
  folder = temporaryFolder("rows-");
});

const keyOf = ({ name, repetition }: Row) => `${name} ${repetition}`;
const row = (name: string, repetition: number, problem: string | null = null): Row => ({ name, repetition, problem });

test("a later row replaces the one with its key, in its place", () => {
  const file = join(folder, "rows.jsonl");
  expect(readRows(file, keyOf)).toEqual([]);
  for (const each of [row("one", 1, "late"), row("two", 1), row("one", 2), row("one", 1)]) appendRow(file, each);
  expect(readRows(file, keyOf)).toEqual([row("one", 1), row("two", 1), row("one", 2)]);
  writeRows(file, [row("two", 1)]);
  expect(readRows(file, keyOf)).toEqual([row("two", 1)]);
});
