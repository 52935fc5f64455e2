import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readLaunchRecords } from "./launch-records.ts";

test("reads complete lines, and nothing before the first start", () => {
  const folder = mkdtempSync(join(tmpdir(), "robot-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "record");
  expect(readLaunchRecords(file)).toEqual([]);
  writeFileSync(file, "10 11 12 13 2\n20 21 22 23 2\n30 31");
  expect(readLaunchRecords(file)).toEqual([
    { known: 10, wrappers: [10, 11, 12], main: 13, inside: 2 },
    { known: 20, wrappers: [20, 21, 22], main: 23, inside: 2 },
  ]);
});
