import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readFiles } from "./app/read-files.ts";
import { reportOn } from "./check-app.ts";
import { REQUIREMENTS } from "./requirements.ts";

interface Mutant {
  file: string;
  find?: string;
  put?: string;
  content?: string | null;
  says: string;
}

const HEALTHY = "fixtures/apps/hello_robot";
const mutants: Record<string, Mutant> = parse(readFileSync("fixtures/broken-apps/mutants.yaml", "utf8"));
const healthy = await readFiles(HEALTHY, new AbortController().signal);

function broken({ file, find, put, content }: Mutant): Map<string, string | null> {
  const files = new Map(healthy);
  if (find === undefined) {
    if (content === null) files.delete(file);
    else files.set(file, content ?? "");
    return files;
  }
  const text = files.get(file) ?? "";
  expect(text, `${find} is in ${file}`).toContain(find);
  return files.set(
    file,
    text.replace(find, () => put ?? ""),
  );
}

test("the healthy app passes everything", () => {
  const { verdict, counts, app } = reportOn(HEALTHY, healthy);
  expect({ verdict, app, passed: counts.pass }).toEqual({
    verdict: "conformant",
    app: "hello_robot",
    passed: REQUIREMENTS.length,
  });
});

test.each(Object.entries(mutants))("%s fails, and nothing else", (name, mutant) => {
  const { results } = reportOn(HEALTHY, broken(mutant));
  const caught = results.filter(({ status }) => status !== "pass" && status !== "skip");
  expect(caught.map(({ id }) => id)).toEqual([name.slice(0, "PKG-000".length)]);
  expect(caught.map(({ status }) => status)).toEqual([caught[0]?.level === "MUST" ? "fail" : "warn"]);
  expect(caught[0]?.findings.map(({ message }) => message).join("\n")).toContain(mutant.says);
});

test("every requirement names the broken apps that it catches, and every broken app is named", () => {
  const named = REQUIREMENTS.flatMap(({ id, mutants: its }) => its.map((name) => ({ id, name })));
  expect(named.map(({ name }) => name)).toEqual(Object.keys(mutants));
  for (const { id, name } of named) expect(name.startsWith(`${id}-`)).toBe(true);
  for (const { mutants: its } of REQUIREMENTS) expect(its).not.toEqual([]);
});
