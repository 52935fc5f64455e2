import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the files that take long are there", () => {
  const files = Object.keys(JSON.parse(readFileSync("scripts/setup/usual-seconds.json", "utf8")));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
