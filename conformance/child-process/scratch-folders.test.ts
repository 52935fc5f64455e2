import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pid } from "node:process";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { removeOldScratchFolders } from "./scratch-folders.ts";

/** Larger than any pid on Linux. */
const NO_PID = 2 ** 22 + 1;
const HOUR_S = 3600;

test("removes scratch folders of dead processes after 25 hours, and nothing else", async () => {
  const folder = temporaryFolder("robot-leftovers-test-");
  const temporary = join(folder, "temporary");
  const now = 1_900_000_000;
  const make = (path: string, hours: number) => {
    mkdirSync(join(path, "inner"), { recursive: true });
    utimesSync(path, now - hours * HOUR_S, now - hours * HOUR_S);
  };
  make(join(temporary, `robot-certify-${NO_PID}-old`), 26);
  make(join(temporary, `robot-certify-${NO_PID}-new`), 24);
  make(join(temporary, `robot-certify-${pid}-old`), 26);
  make(join(temporary, "other"), 26);
  await removeOldScratchFolders(temporary, now * 1000);
  expect(readdirSync(temporary).sort()).toEqual(
    ["other", `robot-certify-${NO_PID}-new`, `robot-certify-${pid}-old`].sort(),
  );
  await removeOldScratchFolders(join(folder, "missing"), now * 1000);
});
