import { describe, expect, test } from "vitest";
import { checkFiles } from "./check-app.ts";
import { explainRule, listRules } from "./explain-rule.ts";
import { planFixes } from "./fix/plan-fixes.ts";
import { REQUIREMENTS } from "./requirements.ts";
import { exampleFiles } from "./testing/example-app.ts";

/** The findings on the example app, `id file`, with one file changed. */
async function findingsWith(file: string, text: string | null): Promise<string[]> {
  const files = new Map(exampleFiles);
  if (text === null) files.delete(file);
  else files.set(file, text);
  const { results } = await checkFiles("my_app", files);
  return results.flatMap(({ id, findings }) => findings.map((finding) => `${id} ${finding.file}`));
}

test("the example app has no findings", async () => {
  expect(await findingsWith("README.md", exampleFiles.get("README.md") ?? null)).toEqual([]);
});

describe.each(REQUIREMENTS)("$id", (rule) => {
  const { id, title, example, explanation } = rule;

  test("refuses its wrong example, and nothing else does", async () => {
    const text = exampleFiles.get(example.file) ?? "";
    expect(text).toContain(example.right);
    const broken = example.wrong === null ? null : text.replace(example.right, () => example.wrong ?? "");
    const ids = (await findingsWith(example.file, broken)).map((each) => each.slice(0, id.length));
    expect([...new Set(ids)]).toEqual([id]);
  });

  test("is explained and listed", () => {
    const text = explainRule(rule, false);
    expect(text.split("\n")[0]).toBe(`${id}  ${title}`);
    expect(text.replaceAll("\n", " ")).toContain(explanation);
    for (const line of example.right.split("\n")) expect(text).toContain(`    ${line}\n`);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(125);
    expect(listRules([rule])).toContain(title);
  });

  test("says what its fix does exactly when it has one", () => {
    expect(rule.fixes === undefined).toBe(rule.fix === undefined);
  });
});

test("an app without routes of its own needs static/index.html", async () => {
  const files = new Map([...exampleFiles].filter(([file]) => !file.includes("static/")));
  const { results } = await checkFiles("my_app", files);
  expect(results.find(({ id }) => id === "PKG-012")?.findings).toEqual([
    { message: expect.stringContaining("there is no my_app/static/index.html"), file: "my_app/main.py", line: 10 },
  ]);
  expect((await planFixes(files, REQUIREMENTS)).changes).toEqual([]);
});

test.each([
  ["another build tool", (text: string) => text.replaceAll("setuptools.build_meta", "hatchling.build"), "pass"],
  [
    "a pattern for all packages",
    (text: string) => text.replace('my_app = ["static/*"]', '"*" = ["**/*.html"]'),
    "pass",
  ],
  ["a page in folders of the page", (text: string) => text.replace("static/*", "static/**/*.html"), "pass"],
  ["no page", (text: string) => text.replace('my_app = ["static/*"]', ""), "fail"],
])("PKG-012 with %s", async (_, change, status) => {
  const files = new Map(exampleFiles).set("pyproject.toml", change(exampleFiles.get("pyproject.toml") ?? ""));
  const { results } = await checkFiles("my_app", files);
  expect(results.find(({ id }) => id === "PKG-012")?.status).toBe(status);
});
