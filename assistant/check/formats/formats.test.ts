import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { reportWith } from "../testing/healthy.ts";
import type { FormatContext } from "./format.ts";
import { FORMATS } from "./formats.ts";

const context: FormatContext = { colour: false, prefix: "apps/hello robot", version: "1.2.3" };

/** A report with a failure, a warning with an odd file name, and skipped requirements. */
const report = await reportWith({
  "hello_robot/main.py": "def f(\n",
  "style.css": null,
  'odd,name:100%\n"<&>.pem': "x",
});

test("github: one command for each finding, at its line, with everything escaped", () => {
  const lines = FORMATS.github(report, context).split("\n");
  expect(lines).toContain(
    "::error file=apps/hello robot/style.css,line=1,title=PKG-001 The landing page%3A index.html and style.css at the root%2C not empty::style.css is missing: add it beside pyproject.toml.",
  );
  expect(lines.find((line) => line.includes("PKG-006"))).toMatch(
    /^::error file=apps\/hello robot\/hello_robot\/main\.py,line=\d+,/,
  );
  expect(lines.find((line) => line.includes(".pem"))).toContain(
    'file=apps/hello robot/odd%2Cname%3A100%25%0A"<&>.pem,line=1',
  );
  expect(lines.filter((line) => line.startsWith("::notice"))).toHaveLength(report.counts.skip);
});

test("github: of more findings than GitHub shows, the last one counts the others", async () => {
  const keys = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`${i}.pem`, "x"]));
  const text = FORMATS.github(await reportWith(keys), context);
  const warnings = text.split("\n").filter((line) => line.startsWith("::warning"));
  expect(warnings).toHaveLength(10);
  expect(warnings.at(-1)).toBe("::warning title=check::and 5 more: robot-app-assistant check shows all");
});

test("sarif: rules with levels and help, results with places", () => {
  const { version, runs } = JSON.parse(FORMATS.sarif(report, context));
  const [{ tool, results, invocations }] = runs;
  expect({ version, driver: tool.driver.semanticVersion }).toEqual({ version: "2.1.0", driver: "1.2.3" });
  const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { ruleId, ruleIndex } of results) expect(ids[ruleIndex]).toBe(ruleId);
  expect(results.map(({ level }: { level: string }) => level)).toEqual(["error", "error", "warning"]);
  const { artifactLocation, region } = results[0].locations[0].physicalLocation;
  expect({ artifactLocation, region }).toEqual({
    artifactLocation: { uri: "apps/hello%20robot/style.css" },
    region: { startLine: 1 },
  });
  expect(invocations[0].toolExecutionNotifications).toHaveLength(report.counts.skip);
});

test("junit: one well-formed case for each requirement", () => {
  const text = FORMATS.junit(report, context);
  const script =
    "import sys, json, xml.etree.ElementTree as t; r = t.fromstring(sys.stdin.read());" +
    "print(json.dumps([r.attrib, [[c.get('name'), [e.tag for e in c]] for c in r.iter('testcase')]]))";
  const [totals, cases] = JSON.parse(execFileSync("python3", ["-c", script], { input: text, encoding: "utf8" }));
  expect(totals).toMatchObject({ tests: String(report.results.length), failures: "2", errors: "0" });
  const inside = new Map<string, string[]>(cases.map(([name, tags]: [string, string[]]) => [name.slice(0, 7), tags]));
  expect([inside.get("PKG-001"), inside.get("PKG-002"), inside.get("PKG-007"), inside.get("PKG-011")]).toEqual([
    ["failure"],
    [],
    ["skipped"],
    ["system-out"],
  ]);
});

describe.each(Object.entries(FORMATS))("%s", (_, format) => {
  test("is the same for the same report, and ends with a line feed", () => {
    const text = format(report, context);
    expect(text).toBe(format(structuredClone(report), context));
    expect(text.endsWith("\n")).toBe(true);
  });
});

test("files have no folder in front when the app's folder is the working directory", () => {
  expect(FORMATS.github(report, { ...context, prefix: "" })).toContain("file=style.css,");
});
