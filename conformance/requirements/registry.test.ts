import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REQUIREMENTS } from "../../assistant/check/requirements.ts";
import { ALL_TEST_RUNS } from "../test-runs/all-test-runs.ts";
import { idOf, MUTANTS } from "../testing/mutants.ts";
import { DYNAMIC } from "./registry.ts";

test("docs/certifying-requirements.md has every requirement as the registry has it", () => {
  const rows = readFileSync("docs/certifying-requirements.md", "utf8")
    .split("\n")
    .filter((line) => /^\| [A-Z]+-\d/.test(line))
    .map((line) => line.split(" | "));
  const expected = DYNAMIC.map(({ id, level, section, title }) => [`| ${id}`, level, section, title]);
  expect(rows.map((row) => row.slice(0, 4))).toEqual(expected);
  for (const [, , , , how = ""] of rows) expect(how.length).toBeGreaterThan(10);
});

test("every requirement names the broken apps that it catches, and every broken app is named", () => {
  expect(DYNAMIC.flatMap(({ mutants }) => mutants)).toEqual(Object.keys(MUTANTS));
  for (const { id, mutants } of DYNAMIC) {
    expect(mutants).not.toEqual([]);
    for (const name of mutants) expect(idOf(name)).toBe(id);
  }
});

test("ids are unique, and every test run observes a requirement", () => {
  const ids = [...REQUIREMENTS, ...DYNAMIC].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const shown = new Set(DYNAMIC.flatMap(({ testRuns }) => testRuns));
  expect([...shown].sort()).toEqual(ALL_TEST_RUNS.map(({ id }) => id).sort());
});
