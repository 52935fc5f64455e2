import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PLANTED_BUGS } from "./bugs.ts";

test.each(PLANTED_BUGS.map((bug) => [bug.name, bug] as const))("the text of %s is there once", (_, { file, text }) => {
  expect(readFileSync(file, "utf8").split(text)).toHaveLength(2);
});
