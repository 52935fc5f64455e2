import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

test("docs/checks.md has every requirement as the registry has it", () => {
  const rows = readFileSync("docs/checks.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| PKG-"));
  const expected = REQUIREMENTS.map(({ id, level, section, title, mutants }) => {
    const caught = mutants.map((name) => name.slice(`${id}-`.length)).join(", ");
    return `| ${id} | ${level} | ${section} | ${title} | ${caught} |`;
  });
  expect(rows).toEqual(expected);
});
