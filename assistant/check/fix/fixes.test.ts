import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { checkFiles } from "../check-app.ts";
import { REQUIREMENTS } from "../requirements.ts";
import { healthyFiles } from "../testing/healthy.ts";
import { formatDiff } from "./apply-fixes.ts";
import { planFixes } from "./plan-fixes.ts";
import { editLine } from "./python-text.ts";
import { renameTable, setKey } from "./toml-text.ts";

test.each(["\n", "\r\n"])("lines change at their own line end, and others keep theirs: %j", (end) => {
  const text = `one${end}two\nthree\r\n`;
  expect(editLine(text, 1, (line) => `${line}!`)).toBe(`one!${end}two\nthree\r\n`);
  expect(editLine(text, 3, (line) => `${line}!`)).toBe(`one${end}two\nthree!\r\n`);
});

interface Mutant {
  file: string;
  find?: string;
  put?: string;
  content?: string | null;
}

const mutants: Record<string, Mutant> = parse(readFileSync("fixtures/broken-apps/mutants.yaml", "utf8"));

/** The broken apps whose findings take a person. All others are fixed mechanically. */
const FOR_PEOPLE = [
  "PKG-002-does-not-parse",
  "PKG-002-no-version",
  "PKG-002-python-with-caret",
  "PKG-002-dependencies-as-text",
  "PKG-002-license-with-classifier",
  "PKG-002-backend-not-required",
  "PKG-003-two",
  "PKG-004-does-not-parse",
  "PKG-005-no-main",
  "PKG-006-syntax-error",
  "PKG-006-print-of-python-2",
  "PKG-006-class-not-there",
  "PKG-006-other-base",
  "PKG-006-no-run",
  "PKG-006-static-run",
  "PKG-006-run-without-stop-event",
  "PKG-006-run-with-one-more",
  "PKG-006-run-swapped",
  "PKG-006-run-keyword-only",
  "PKG-007-no-instance",
  "PKG-007-run-instead-of-wrapped-run",
  "PKG-007-not-called",
  "PKG-007-other-exception",
  "PKG-007-no-stop",
  "PKG-007-no-variable",
  "PKG-007-stop-of-another",
  "PKG-008-port-too-high",
  "PKG-008-no-scheme",
  "PKG-008-computed",
  "PKG-008-set-by-a-method",
  "PKG-008-number",
  "PKG-011-key-in-code",
  "PKG-011-private-key",
  "PKG-014-scipy",
  "PKG-014-in-a-module-of-the-app",
  "PKG-015-loops-for-ever",
  "PKG-015-looks-at-something-else",
  "PKG-016-without-a-sleep",
  "PKG-016-waits-without-a-pause",
  "PKG-017-default-out-of-range",
  "PKG-017-no-json",
];

function brokenApp({ file, find, put = "", content = null }: Mutant): Map<string, string | null> {
  const files = new Map(healthyFiles);
  if (find !== undefined)
    files.set(
      file,
      (files.get(file) ?? "").replace(find, () => put),
    );
  else if (content === null) files.delete(file);
  else files.set(file, content);
  return files;
}

describe("a broken app", () => {
  test.each(Object.entries(mutants))("%s", async (name, mutant) => {
    const files = brokenApp(mutant);
    const { changes, fixed } = await planFixes(files, REQUIREMENTS);
    if (FOR_PEOPLE.includes(name)) return expect(changes).toEqual([]);
    expect(fixed).toContain(name.slice(0, "PKG-000".length));
    for (const { file, after } of changes) files.set(file, after);
    if (mutant.content !== undefined && name.startsWith("PKG-011")) files.delete(mutant.file);
    const { counts } = await checkFiles("app", files);
    expect(counts).toMatchObject({ fail: 0, warn: 0, error: 0 });
  });

  test("the list of those for people is exact", () => {
    expect(FOR_PEOPLE.filter((name) => !(name in mutants))).toEqual([]);
  });
});

test("one run of the fixes makes an app of a file that has only the class", async () => {
  const main = "class Waver:\n    def run(self, robot, stop_event):\n        stop_event.wait()\n";
  const files = new Map<string, string | null>([["waver/main.py", main]]);
  const { changes } = await planFixes(files, REQUIREMENTS);
  for (const { file, after } of changes) files.set(file, after);
  expect((await checkFiles("waver", files)).verdict).toBe("conformant");
  expect(files.get("waver/main.py")).toContain("class Waver(RobotApp):");
  expect(files.get("pyproject.toml")).toContain('waver = "waver.main:Waver"');
});

test("comments, order and Windows line ends stay", () => {
  const text = "# mine\r\n[project] # here\r\nname = 'a b' # old\r\n\r\n# next\r\n[tool.x]\r\ny = 1\r\n";
  expect(setKey(text, "project", "name", '"a_b"')).toBe(text.replace("name = 'a b' # old", 'name = "a_b"'));
  expect(setKey(text, "project", "version", '"1"')).toBe(text.replace("# old\r\n", '# old\r\nversion = "1"\r\n'));
  expect(renameTable('[a."b-c"]\nd = 1\n', "a.b-c", "a.b_c")).toBe("[a.b_c]\nd = 1\n");
  expect(setKey("", "a", "b", "1")).toBe("[a]\nb = 1\n");
});

test("a file with both kinds of line ends keeps them", () => {
  const text = "[a]\r\nb = 1\n[c]\nd = 1\r\n";
  expect(setKey(text, "c", "d", "2")).toBe("[a]\r\nb = 1\n[c]\nd = 2\r\n");
  expect(setKey(text, "a", "e", "2")).toBe("[a]\r\nb = 1\ne = 2\r\n[c]\nd = 1\r\n");
  expect(setKey("[a]\r\nb = 1", "c", "d", "2")).toBe("[a]\r\nb = 1\r\n\r\n[c]\r\nd = 2\r\n");
});

test("a line of many spaces is read in linear time", () => {
  const line = `[${" ".repeat(100_000)}x`;
  expect(setKey(`${line}\n[a]\nb = 1\n`, "a", "b", "2")).toBe(`${line}\n[a]\nb = 2\n`);
});

test.each([
  '[tool.setuptools.package-data]\nhello_robot = [\n  "*.txt",\n]\n',
  '[tool.setuptools]\npackage-data = { hello_robot = ["*.txt"] }\n',
])("a fix that would break the file is not kept, whatever rules are selected: %j", async (table) => {
  const toml = healthyFiles.get("pyproject.toml") ?? "";
  const rest = toml.slice(0, toml.indexOf("[tool.setuptools"));
  const files = new Map(healthyFiles).set("pyproject.toml", `${rest}${table}`);
  const shippedPage = REQUIREMENTS.filter(({ id }) => id === "PKG-012");
  const { results } = await checkFiles("app", files);
  expect(results.filter(({ status }) => status === "fail").map(({ id }) => id)).toEqual(["PKG-012"]);
  expect(await planFixes(files, shippedPage)).toEqual({ changes: [], fixed: [] });
});

test("a landing page that cannot be read does not keep the other file from being added", async () => {
  const files = new Map(healthyFiles).set("index.html", null);
  files.delete("style.css");
  const { changes } = await planFixes(files, REQUIREMENTS);
  expect(changes.map(({ file }) => file)).toEqual(["style.css"]);
});

test("the extra is added to the dependency, not to the same word elsewhere", async () => {
  const toml = (healthyFiles.get("pyproject.toml") ?? "").replace("robot-sdk[web]", "robot-sdk");
  const text = toml.replace("[project]\n", '[project]\nkeywords = ["robot-sdk"]\n');
  const files = new Map(healthyFiles).set("pyproject.toml", text);
  const finding = (await checkFiles("app", files)).results.find(({ id }) => id === "PKG-013")?.findings[0];
  expect(text.split("\n")[(finding?.line ?? 0) - 1]).toContain("dependencies");
  const [change] = (await planFixes(files, REQUIREMENTS)).changes;
  expect(change?.after).toContain('keywords = ["robot-sdk"]');
  expect(change?.after).toContain('"robot-sdk[web]"');
});

test("a file whose text cannot be read stays, also one that a fix would create", async () => {
  for (const file of ["README.md", "pyproject.toml", "index.html", "hello_robot/main.py"]) {
    const files = new Map(healthyFiles).set(file, null);
    const { changes } = await planFixes(files, REQUIREMENTS);
    expect(changes.map((change) => change.file)).not.toContain(file);
  }
});

test("an async run that awaits something stays", async () => {
  const main = (healthyFiles.get("hello_robot/main.py") ?? "")
    .replace("    def run(", "    async def run(")
    .replace("time.sleep(PERIOD_S)", "await asyncio.sleep(PERIOD_S)");
  const files = new Map(healthyFiles).set("hello_robot/main.py", main);
  expect((await planFixes(files, REQUIREMENTS)).changes).toEqual([]);
});

test("the diff names files as git does, and escapes control characters", () => {
  const changes = [
    { file: "new.txt", before: null, after: "a\x1b[2J\n" },
    { file: "old.txt", before: "1\n2\n", after: "1\n3\n" },
  ];
  expect(formatDiff(changes, false)).toBe(
    "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+a\\u001b[2J\n--- a/old.txt\n+++ b/old.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n",
  );
  expect(formatDiff(changes, true)).toContain("\x1b[31m-2\x1b[0m\n\x1b[32m+3\x1b[0m");
});
