import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { readLaunchRecords } from "./launch-records.ts";

test("reads complete lines, and nothing before the first start", () => {
  const folder = temporaryFolder("robot-records-");
  const file = join(folder, "record");
  expect(readLaunchRecords(file)).toEqual([]);
  writeFileSync(file, "10 11 12 13 2\n20 21 22 23 2\n30 31");
  expect(readLaunchRecords(file)).toEqual([
    { known: 10, wrappers: [10, 11, 12], main: 13, inside: 2 },
    { known: 20, wrappers: [20, 21, 22], main: 23, inside: 2 },
  ]);
});
