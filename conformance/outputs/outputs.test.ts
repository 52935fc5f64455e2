import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import type { DecidedVerdict } from "../verdict/verdict.ts";
import { annotationsOf } from "./annotations.ts";
import { badgeJson, badgeSvg } from "./badge.ts";
import { formatVerdict } from "./format-verdict.ts";
import { junitOf } from "./junit.ts";

const HOSTILE = `</failure>]]>"'&<script>\u0000\ud800\n::error::taken over\u001b[2J`;

/** What Python's parser makes of an XML text: the names and kinds of the test cases. */
function casesIn(xml: string): string[] {
  const read = `
import sys, xml.etree.ElementTree as tree
for case in tree.fromstring(sys.stdin.buffer.read()).iter("testcase"):
    print(case.get("name"), [child.tag for child in case])
`;
  return execFileSync("python3", ["-c", read], { input: xml, encoding: "utf8" }).trim().split("\n");
}

test("JUnit keeps the ids and the statuses, for any output of an app", () => {
  const verdict = exampleVerdict({
    "LIFE-001": "pass",
    "LIFE-003": "fail",
    "MOT-002": "warn",
    "UI-001": "not-applicable",
    "UI-002": "inconclusive",
    "RES-001": "error",
  });
  const hostile = verdict.results.map((each) => ({
    ...each,
    findings: each.status === "fail" ? [{ message: HOSTILE, file: "a.py", line: 3 }] : each.findings,
  }));
  expect(casesIn(junitOf({ ...verdict, results: hostile }, "app"))).toEqual([
    "LIFE-001 Title of LIFE-001 []",
    "LIFE-003 Title of LIFE-003 ['failure']",
    "MOT-002 Title of MOT-002 ['system-out']",
    "UI-001 Title of UI-001 ['skipped']",
    "UI-002 Title of UI-002 ['failure']",
    "RES-001 Title of RES-001 ['error']",
  ]);
});

test("an error, an inconclusive and a flaky SHOULD do not fail a CI job, as they do not fail the verdict", () => {
  const verdict = exampleVerdict({ "RES-001": "error", "RES-002": "inconclusive", "RES-003": "flaky" });
  const results = verdict.results.map((each) => ({ ...each, level: "SHOULD" as const }));
  const xml = junitOf({ ...verdict, results }, "app");
  expect(casesIn(xml)).toEqual([
    "RES-001 Title of RES-001 ['skipped']",
    "RES-002 Title of RES-002 ['skipped']",
    "RES-003 Title of RES-003 ['system-out']",
  ]);
  expect(xml).toContain('tests="3" failures="0" errors="0" skipped="2"');
  for (const line of annotationsOf({ results }, "app")) expect(line).toMatch(/^::warning /);
});

test("files of a JUnit file are relative to the working directory, as in annotations", () => {
  const verdict = exampleVerdict({ "LIFE-003": "fail" });
  expect(junitOf(verdict, "apps/my_app")).toContain(">apps/my_app/a.py:1: wrong</failure>");
});

test("there are at most ten annotations of a kind, and the last says how many more", () => {
  const findings = Array.from({ length: 25 }, (_, at) => ({
    message: `finding ${at}`,
    file: "my_app/main.py",
    line: at,
  }));
  const [failed] = exampleVerdict({ "LIFE-003": "fail" }).results;
  const lines = annotationsOf({ results: [{ ...failed!, findings }] }, "apps/my_app");
  expect(lines).toHaveLength(10);
  expect(lines[1]).toBe("::error file=apps/my_app/my_app/main.py,line=1,title=LIFE-003 Title of LIFE-003::finding 1");
  expect(lines.at(-1)).toContain("and 16 more");
});

test("an inconclusive SHOULD is a warning, an inconclusive MUST an error", () => {
  const { results } = exampleVerdict({ "UI-002": "inconclusive", "LIFE-003": "inconclusive" });
  const lines = annotationsOf({ results: [{ ...results[0]!, level: "SHOULD" }, results[1]!] }, "app");
  expect(lines).toEqual([
    "::error title=LIFE-003 Title of LIFE-003::a reason",
    "::warning title=UI-002 Title of UI-002::a reason",
  ]);
});

test("failures are annotated before requirements that could not be judged", () => {
  const open = Array.from({ length: 12 }, (_, at) => [`LIFE-${100 + at}`, "inconclusive"] as const);
  const verdict = exampleVerdict(Object.fromEntries([...open, ["RES-001", "fail"], ["RES-002", "error"]]));
  const lines = annotationsOf(verdict, "app");
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain("RES-001");
  expect(lines[1]).toContain("RES-002");
  expect(lines.at(-1)).toBe("::error title=certify::and 5 more: the verdict has all");
});

test("an app cannot write workflow commands of its own", () => {
  const [failed] = exampleVerdict({ "LIFE-003": "fail" }).results;
  const findings = [{ message: HOSTILE, file: "a,b:c.py", line: null }];
  const [line, ...more] = annotationsOf({ results: [{ ...failed!, findings }] }, "app");
  expect(more).toEqual([]);
  expect(line).not.toContain("\n");
  expect(line).toContain("file=app/a%2Cb%3Ac.py,line=1");
});

test.each([
  [{ "LIFE-001": "pass" } as const, "conformant, 1 met"],
  [{ "LIFE-001": "fail" } as const, "1 not met"],
])("the badge of %o says %s", (statuses, message) => {
  const verdict = exampleVerdict(statuses) as DecidedVerdict;
  expect(JSON.parse(badgeJson(verdict))).toMatchObject({ schemaVersion: 1, message });
  expect(badgeSvg(verdict)).toContain(`>${message}</text>`);
});

test("the summary names the folder of the files", () => {
  const verdict = exampleVerdict({ "LIFE-003": "warn" });
  expect(formatVerdict(verdict, { folder: "out", files: ["verdict.json"] }, false)).toContain("out/: verdict.json");
});
