import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { startReplayServer } from "../../edit/testing/replay/server.ts";
import { REQUIREMENTS } from "../check/requirements.ts";
import { runProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";
import { fakeTerminal } from "../testing/fake-terminal.ts";

/** Requirements that the app's files are checked for. */
const ALL = REQUIREMENTS.length;

let app = "";
let main = "";

beforeEach(async () => {
  const folder = temporaryFolder("check-command-");
  app = join(folder, "hello_robot");
  main = join(app, "hello_robot", "main.py");
  await cp("fixtures/apps/hello_robot", app, { recursive: true });
});

async function run(args: string[], more: Partial<Terminal> = {}) {
  const terminal = fakeTerminal({ cwd: app, ...more });
  await runProgram(args, "0.0.0", terminal);
  return terminal.written;
}

const replaceIn = async (file: string, find: string, put: string) =>
  writeFile(file, (await readFile(file, "utf8")).replace(find, put));

test("a healthy app ends with code 0", async () => {
  const { out, err, code } = await run(["check", "."]);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toContain("✓ PKG-001 ");
  expect(out).toContain(`This is a robot app: ${ALL} passed.`);
  expect(out).not.toContain("\x1b");
});

test("every failure is shown with its place, in colours on a terminal", async () => {
  await replaceIn(main, "def run(", "async def run(");
  await rm(join(app, "style.css"));
  const { out, code } = await run(["check", "."], { colour: true });
  expect(code).toBe(1);
  expect(out).toContain("\x1b[31m✗\x1b[0m PKG-006");
  expect(out).toMatch(/hello_robot\/main\.py:\d+\S* {2}HelloRobot has an async run/);
  expect(out).toContain("style.css is missing");
  expect(out).toContain(`${ALL - 2} passed, 2 failed.`);
});

test("a SHOULD that is not met is a warning; control characters in file names are escaped", async () => {
  await writeFile(join(app, "\x1b[2J.pem"), "a");
  const { out, code } = await run(["check", "."]);
  expect(code).toBe(0);
  expect(out).toContain("! PKG-011");
  expect(out).toContain("\\u001b[2J.pem");
  expect(out).toContain(`${ALL - 1} passed, 1 warning.`);
});

test("control characters in the app's name and folder are escaped", async () => {
  await rename(join(app, "hello_robot"), join(app, "\x1b[2J"));
  const folder = join(app, "..", "\x1b[2J");
  await rename(app, folder);
  const [head] = (await run(["check", folder], { cwd: "/" })).out.split("\n");
  expect(head).toMatch(/^\\u001b\[2J \S*\/\\u001b\[2J$/);
});

test("JSON has every requirement in one object", async () => {
  await replaceIn(join(app, "pyproject.toml"), "robot_apps", "apps");
  const { out, code } = await run(["check", "--json", app]);
  const report = JSON.parse(out);
  expect(code).toBe(1);
  expect(report).toMatchObject({
    ...{ verdict: "not-conformant", app: "hello_robot", folder: app },
    counts: { pass: ALL - 1, fail: 1, warn: 0, skip: 0, error: 0 },
  });
  expect(report.results[2]).toEqual({
    id: "PKG-003",
    level: "MUST",
    section: "2.2",
    title: expect.any(String),
    status: "fail",
    findings: [{ message: expect.stringContaining("is missing"), file: "pyproject.toml", line: 14 }],
    reason: null,
  });
});

test("without a folder the one it runs in is checked", async () => {
  expect(await run(["check"])).toEqual(await run(["check", "."]));
});

test("invalid command lines end with code 2", async () => {
  expect(await run(["check", "nowhere"])).toMatchObject({ code: 2, err: expect.stringContaining("does not exist") });
  expect(await run(["check", "pyproject.toml"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("is not a folder"),
  });
  expect(await run(["chek", "."])).toMatchObject({ code: 2, err: expect.stringContaining("Did you mean check?") });
  const help = await run(["check", "--help"]);
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining("robot-app-assistant check ") });
});

test("--fix shows a diff, asks, writes, and reports the app as it is then", async () => {
  await rm(join(app, "style.css"));
  const declined = await run(["check", ".", "--fix"]);
  expect(declined).toMatchObject({ code: 1, questions: ["Change 1 file to fix PKG-001?"] });
  expect(declined.out).toContain("+++ b/style.css");
  expect(declined.out).toContain("Nothing was changed. --yes changes it without asking.");

  const shown = await run(["check", ".", "--diff"]);
  expect(shown).toMatchObject({ code: 1, questions: [], out: expect.stringMatching(/^--- \/dev\/null\n/) });
  const fixed = await run(["check", ".", "--fix", "--yes"]);
  expect(fixed).toMatchObject({ code: 0, questions: [], out: expect.stringContaining("Fixed PKG-001 in 1 file.") });
  expect(await readFile(join(app, "style.css"), "utf8")).toContain("body");
  expect(await run(["check", ".", "--diff"])).toMatchObject({ code: 0, out: "" });
  expect((await run(["check", ".", "--fix"])).out).toContain("Nothing that can be fixed mechanically.");
});

test("--fix writes nothing when a file is saved while it asks", async () => {
  const pyproject = join(app, "pyproject.toml");
  await replaceIn(pyproject, "robot_apps", "robot-apps");
  await rm(join(app, "style.css"));
  const save = async (file: string) => {
    await writeFile(file, "mine");
    return true;
  };
  const changed = await run(["check", ".", "--fix"], { confirm: () => save(pyproject) });
  expect(changed).toMatchObject({ code: 1, err: expect.stringContaining("pyproject.toml changed after it was read") });
  expect(await readFile(pyproject, "utf8")).toBe("mine");
  expect(await readdir(app)).not.toContain("style.css");

  await cp("fixtures/apps/hello_robot/pyproject.toml", pyproject);
  const created = await run(["check", ".", "--fix"], { confirm: () => save(join(app, "style.css")) });
  expect(created).toMatchObject({ code: 1, err: expect.stringContaining("style.css exists") });
  expect(await readFile(join(app, "style.css"), "utf8")).toBe("mine");
});

test("--fix keeps the report alone on standard output when a program reads it", async () => {
  await rm(join(app, "style.css"));
  const { out, err } = await run(["check", ".", "--fix", "--yes", "--format", "json"]);
  expect(JSON.parse(out).verdict).toBe("conformant");
  expect(err).toContain("+++ b/style.css");
});

test("--select and --ignore, also from pyproject.toml, and the report says what was left out", async () => {
  await rm(join(app, "style.css"));
  expect(await run(["check", ".", "--select", "PKG-002,PKG-003"])).toMatchObject({ code: 0 });
  const { out } = await run(["check", ".", "--ignore", "pkg-001"]);
  expect(out).toContain(`Nothing found in the selected rules: ${ALL - 1} passed. Not checked: PKG-001.`);
  await writeFile(
    join(app, "pyproject.toml"),
    `${await readFile(join(app, "pyproject.toml"), "utf8")}
[tool.robot.check]
ignore = ["PKG-001"]
`,
  );
  expect(await run(["check", "."])).toMatchObject({ code: 0 });
  expect(await run(["check", ".", "--ignore", "PKG-013"])).toMatchObject({ code: 1 });
});

test.each([
  ["[tool.robot.check]\nselct = []", "tool.robot.check.selct. Did you mean select?"],
  ["[tool.robot]\ncolour = 1", "tool.robot.colour. Known keys: check, dev."],
  ["[tool.robot.check]\nignore = 'PKG-001'", 'tool.robot.check.ignore is "PKG-001"; it must be a list'],
  ["[tool.robot.check]\nignore = ['PGK-001']", 'there is no rule "PGK-001". Did you mean PKG-001?'],
])("a setting that is wrong is refused: %s", async (setting, message) => {
  await writeFile(join(app, "pyproject.toml"), `${await readFile(join(app, "pyproject.toml"), "utf8")}\n${setting}\n`);
  expect(await run(["check", "."])).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});

test("--explain, --list and --schema need no app", async () => {
  expect((await run(["check", "--explain", "pkg-003"])).out).toContain("[project.entry-points.robot_app]");
  expect(await run(["check", "--explain", "PKG-303"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("Did you mean PKG-003?"),
  });
  expect((await run(["check", "--explain", "LIFE-003"])).err).toContain("certify judges it");
  expect((await run(["check", "--list"])).out.trim().split("\n")).toHaveLength(ALL);
  expect(JSON.parse((await run(["check", "--schema"])).out).properties.tool.properties.robot.type).toBe("object");
});

test("every format is written by its name, and an unknown one is refused", async () => {
  expect((await run(["check", ".", "--format", "junit"])).out).toContain("<testsuites");
  expect((await run(["check", ".", "--format", "sarif"])).out).toContain('"2.1.0"');
  expect((await run(["check", ".", "--format", "github"])).out).toContain(`conformant: ${ALL} passed`);
  expect(await run(["check", ".", "--out", "../out"])).toMatchObject({ code: 0 });
  expect((await readdir(join(app, "../out"))).sort()).toEqual(["check.json", "check.sarif", "check.xml"]);
  expect(await run(["check", ".", "--format", "html"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("sarif"),
  });
});

/** `edit` with a model that answers with this replacement of one line. */
async function edit(find: string, put: string) {
  const answer = `\`\`\`python\n${find}\n<|search_and_replace|>\n${put}\n\`\`\`<|next_end|>Done.<|im_end|>`;
  const server = await startReplayServer({ answerTo: async () => answer });
  const written = await run(["edit", ".", "-i", "Go.", "--format", "sr", "--yes"], {
    env: { ROBOT_MODEL_URL: server.url, XDG_STATE_HOME: join(app, "..", "state") },
  });
  await server.close();
  return written;
}

test("an edit that keeps an app conformant ends with code 0", async () => {
  const { code, out } = await edit("class HelloRobot(RobotApp):", "class HelloRobot(RobotApp):  # calm");
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("This is a robot app") });
  expect(out).toContain("Applied");
  expect(await readFile(main, "utf8")).toContain("# calm\n");
});

test("an edit after which the app fails its check ends with code 1", async () => {
  const { code, out } = await edit("class HelloRobot(RobotApp):", "class HelloRobot:");
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining("it must extend RobotApp") });
});
