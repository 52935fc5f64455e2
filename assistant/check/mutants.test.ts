import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { REQUIREMENTS } from "./requirements.ts";
import { healthyFiles, reportWith } from "./testing/healthy.ts";

interface Mutant {
  file: string;
  find?: string;
  put?: string;
  content?: string | null;
  says: string;
}

const mutants: Record<string, Mutant> = parse(readFileSync("fixtures/broken-apps/mutants.yaml", "utf8"));

function mutated({ file, find, put = "", content = null }: Mutant): string | null {
  if (find === undefined) return content;
  const text = healthyFiles.get(file) ?? "";
  expect(text, `${find} is in ${file}`).toContain(find);
  return text.replace(find, () => put);
}

test("the healthy app passes everything", async () => {
  const { verdict, counts, app } = await reportWith({});
  expect({ verdict, app, passed: counts.pass }).toEqual({
    verdict: "conformant",
    app: "hello_robot",
    passed: REQUIREMENTS.length,
  });
});

test.each(Object.entries(mutants))("%s fails, and nothing else", async (name, mutant) => {
  const { results, verdict } = await reportWith({ [mutant.file]: mutated(mutant) });
  const caught = results.filter(({ status }) => status !== "pass" && status !== "skip");
  expect(caught.map(({ id }) => id)).toEqual([name.slice(0, "PKG-000".length)]);
  const must = caught[0]?.level === "MUST";
  expect([caught[0]?.status, verdict]).toEqual(must ? ["fail", "not-conformant"] : ["warn", "conformant"]);
  expect(caught[0]?.findings.map(({ message }) => message).join("\n")).toContain(mutant.says);
});

test("every requirement names the broken apps that it catches, and every broken app has a requirement", () => {
  const named = REQUIREMENTS.flatMap(({ id, mutants: its }) => its.map((name) => ({ id, name })));
  expect(named.map(({ name }) => name)).toEqual(Object.keys(mutants));
  for (const { id, name } of named) expect(name.startsWith(`${id}-`)).toBe(true);
  for (const { mutants: its } of REQUIREMENTS) expect(its).not.toEqual([]);
});
