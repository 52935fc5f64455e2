import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";
import { editorSchema } from "./settings.ts";
import { rulesPage } from "./testing/rules-page.ts";

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

test("docs/rules.md explains every rule as the registry does (npx vitest run -u rewrites it)", async () => {
  await expect(rulesPage(REQUIREMENTS)).toMatchFileSnapshot(path.resolve("docs/rules.md"));
});

test("docs/schemas/pyproject-robot.json is the schema of the settings", async () => {
  const text = `${JSON.stringify(editorSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(path.resolve("docs/schemas/pyproject-robot.json"));
});
