import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { runProgram } from "../../assistant/program.ts";
import { fakeTerminal } from "../../assistant/testing/fake-terminal.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { verifyCommand } from "../verdict/verify-command.ts";
import { certifyCommand } from "./command.ts";

// Requirements on an app's files need no robot, so these certifications take a moment.
let folder = "";
let app = "";
beforeEach(() => {
  folder = temporaryFolder("robot-certify-test-");
  app = join(folder, "hello_robot");
  cpSync("fixtures/apps/hello_robot", app, { recursive: true });
});

const run = (...args: string[]) => runIn(folder, ...args);

async function runIn(cwd: string, ...args: string[]) {
  const terminal = fakeTerminal({ cwd, env: process.env });
  await runProgram(args, "0.0.0", terminal, {
    certify: async () => (within) => certifyCommand(within, "0.0.0"),
    verify: async () => (within) => verifyCommand(within, "0.0.0"),
  });
  return terminal.written;
}
const verdictIn = (out: string): Verdict => JSON.parse(readFileSync(join(folder, out, "verdict.json"), "utf8"));

test("with --only the judgement is printed and written beside the app, without badge and signature", async () => {
  const { code, out, err } = await run("certify", app, "--only", "PKG-001", "--only", "PKG-004", "--seed", "7");
  expect([code, err]).toEqual([0, expect.stringContaining("seed 7")]);
  expect(out).toContain("Only PKG-001, PKG-004 judged: no certification.");
  expect(readdirSync(join(folder, "certification/hello_robot")).sort()).toEqual([
    "junit.xml",
    "report.html",
    "verdict.json",
    "verdict.sarif",
  ]);
  const { verdict, only, seed, digest, results } = verdictIn("certification/hello_robot");
  expect({ verdict, only, seed }).toEqual({ verdict: "conformant", only: ["PKG-001", "PKG-004"], seed: 7 });
  expect(results.map(({ id }) => id)).toEqual(["PKG-001", "PKG-004"]);
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test("without a folder, the app in the working directory is judged", async () => {
  const { code } = await runIn(app, "certify", "--only", "PKG-001", "--out", "../verdict");
  expect(code).toBe(0);
  expect(verdictIn("verdict").verdict).toBe("conformant");
});

test("a MUST that is not met is exit code 1, with annotations on request", async () => {
  rmSync(join(app, "index.html"));
  const { code, out } = await run("certify", "hello_robot", "--only", "PKG-001", "--annotations", "--out", "verdict");
  expect(code).toBe(1);
  expect(out).toContain("::error file=hello_robot/index.html,line=1,title=PKG-001");
  expect(verdictIn("verdict").verdict).toBe("not-conformant");
});

test("with --json, the verdict is alone on standard output and the annotations go to standard error", async () => {
  rmSync(join(app, "index.html"));
  const { out, err } = await run("certify", "hello_robot", "--only", "PKG-001", "--annotations", "--json");
  expect(JSON.parse(out)).toMatchObject({ verdict: "not-conformant" });
  expect(err).toContain("::error file=hello_robot/index.html,line=1,title=PKG-001");
});

test("in the short tier, an app that no installer can build is not run", async () => {
  const project = join(app, "pyproject.toml");
  writeFileSync(project, readFileSync(project, "utf8").replace('"hello_robot"', '"hello robot"'));
  const { code } = await run("certify", app, "--tier", "short", "--out", "verdict");
  const { only, results, testRuns } = verdictIn("verdict");
  const failed = results.filter(({ status }) => status === "fail").map(({ id }) => id);
  expect([code, failed, testRuns]).toEqual([1, ["PKG-002"], []]);
  expect(only).toContain("LIFE-003");
  expect(only).not.toContain("RES-001");
});

test("a MUST that could not be judged is exit code 5 and no certificate", async () => {
  rmSync(join(app, "hello_robot/main.py"));
  const { code, out } = await run("certify", app, "--only", "PKG-007", "--out", "verdict");
  expect([code, out]).toEqual([5, expect.stringContaining("Inconclusive: not certified")]);
  expect(verdictIn("verdict")).toMatchObject({
    verdict: "inconclusive",
    results: [{ status: "inconclusive", observations: [] }],
  });
});

test.each([
  [["certify"], "Name the app's folder"],
  [["certify", "nowhere"], "does not exist"],
  [["certify", "hello_robot", "--only", "LIFE-999"], "Use the id of a requirement"],
  [["certify", "hello_robot", "--seed", "-1"], "a whole number from 0 to 4294967295"],
  [["certify", "hello_robot", "--out", "hello_robot/verdict"], "inside of the app"],
  [["certify", "hello_robot", "--only", "PKG-001", "--sign", "key.pem"], "do not go together"],
  [["certify", "hello_robot", "--sign", "key.pem"], "key.pem cannot be read"],
  [["certify", "hello_robot", "--replay", "replay.json"], "replay.json cannot be read"],
  [["certify", "hello_robot", "--replay", "replay.json", "--seed", "7"], "leave out --only and --seed"],
  [["certify", "hello_robot", "--replay", "hello_robot/README.md"], "hello_robot/README.md"],
  [["certify", "--catalogue", "nowhere"], "There is no catalogue nowhere"],
  [["certify", "hello_robot", "--catalogue", "."], "does not go together with hello_robot"],
  [["certify", "--catalogue", ".", "--seed", "7"], "does not go together with --seed"],
  [["certify", "hello_robot", "--tier", "short", "--sign", "key.pem"], "do not go together"],
  [["verify", "verdict.intoto.jsonl"], "required option '--key <pub.pem>'"],
])("%j is exit code 2 and says why", async (args, why) => {
  const { code, err } = await run(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(why)]);
});

test("an app cannot redirect its verdict to another folder", async () => {
  const project = join(app, "pyproject.toml");
  const text = readFileSync(project, "utf8").replace(
    'hello_robot = "hello_robot.main',
    '"../../../evil" = "hello_robot.main',
  );
  writeFileSync(project, text);
  rmSync(join(app, "hello_robot"), { recursive: true });
  await run("certify", app, "--only", "PKG-001");
  const [name] = readdirSync(join(folder, "certification"));
  expect(resolve(folder, "certification", name ?? "")).toContain(join(folder, "certification"));
  expect(name).toMatch(/^[\w-]+$/);
});

test("a symbolic link inside the app is followed; one that leaves it is refused with its name", async () => {
  symlinkSync("README.md", join(app, "AGENTS.md"));
  expect(await run("certify", "hello_robot", "--only", "PKG-001")).toMatchObject({ code: 0 });
  symlinkSync("/etc/hosts", join(app, "hello_robot/other.py"));
  const { code, err } = await run("certify", "hello_robot", "--only", "PKG-001");
  expect([code, err]).toEqual([2, expect.stringContaining("hello_robot/other.py is a symbolic link to /etc/hosts")]);
});
