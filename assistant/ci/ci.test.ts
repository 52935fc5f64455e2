import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import type { CheckReport } from "../check/check-app.ts";
import { reportWith } from "../check/testing/healthy.ts";
import { runProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";
import { fakeTerminal } from "../testing/fake-terminal.ts";
import { HOOK_ID, withCheckHook } from "./hooks.ts";
import { jobSummary } from "./summary.ts";

let root = "";
beforeEach(async () => {
  root = temporaryFolder("ci é ");
  await execa("git", ["init", "--quiet"], { cwd: root });
  await mkdir(path.join(root, "apps"));
  await run(["create", "my_app", "apps"]);
});

async function run(args: string[], more: Partial<Terminal> = {}) {
  const env = { PATH: process.env.PATH, HOME: root };
  const terminal = fakeTerminal({ cwd: root, packageFolder: process.cwd(), env, ...more });
  await runProgram(args, "0.0.0", terminal);
  return terminal.written;
}

const read = (file: string) => readFile(path.join(root, file), "utf8");

test("writes a workflow for the app's folder, once; another content stays unless it is forced", async () => {
  const args = ["ci", "apps/my_app", "--workflow", "--action", "me/robot-daemon@v1"];
  expect(await run(args)).toMatchObject({ code: 0, out: "✓ created .github/workflows/robot-app.yml\n" });
  const steps = parse(await read(".github/workflows/robot-app.yml")).jobs["robot-app"].steps;
  expect(steps.at(-1)).toEqual({ uses: "me/robot-daemon@v1", with: { path: "apps/my_app" } });
  expect((await run(args)).out).toContain("✓ unchanged");

  await writeFile(path.join(root, ".github/workflows/robot-app.yml"), "name: mine\n");
  expect(await run(args)).toMatchObject({ code: 2, err: expect.stringContaining("-name: mine") });
  expect(await run([...args, "--force"])).toMatchObject({ code: 0, out: expect.stringContaining("✓ changed") });
});

test("--json writes one object with the files", async () => {
  const written = await run(["ci", "apps/my_app", "--pre-commit", "--json"]);
  const file = { status: "created", path: path.join(root, ".pre-commit-config.yaml") };
  expect(JSON.parse(written.out)).toEqual({ status: "written", files: [file] });
  expect(await run(["ci", "apps/my_app", "--json"], { interactive: true })).toMatchObject({
    code: 2,
    out: expect.stringContaining('"usage"'),
  });
});

test("a workflow without an action runs the package", async () => {
  expect(await run(["ci", "apps/my_app", "--workflow"])).toMatchObject({ code: 0 });
  const { steps } = parse(await read(".github/workflows/robot-app.yml")).jobs["robot-app"];
  const commands = steps.flatMap(({ run: command }: { run?: string }) => command ?? []);
  expect(commands).toEqual([
    expect.stringMatching(
      /^npx --yes --package robot-daemon@\d\S+ robot-app-assistant check apps\/my_app --format github$/,
    ),
    expect.stringMatching(/robot-app-assistant test apps\/my_app$/),
    expect.stringContaining("robot-app-assistant certify apps/my_app --annotations"),
  ]);
});

test("adds the hook of pre-commit beside others, comments kept, once", async () => {
  const before = "# ours\nrepos:\n  - repo: https://example.org/x # pinned\n    rev: v1\n    hooks:\n      - id: x\n";
  await writeFile(path.join(root, ".pre-commit-config.yaml"), before);
  await run(["ci", "apps/my_app", "--pre-commit"]);
  const text = await read(".pre-commit-config.yaml");
  expect(text.startsWith(before)).toBe(true);
  expect(parse(text).repos[1].hooks[0]).toMatchObject({ id: HOOK_ID, args: ["apps/my_app"], language: "system" });
  expect((await run(["ci", "apps/my_app", "--pre-commit"])).out).toContain("unchanged");
  expect(parse(withCheckHook(text, "robot-app-assistant", "apps/other_app")).repos).toHaveLength(3);
  expect(parse(withCheckHook(null, "robot-app-assistant", ".")).repos).toHaveLength(1);
  expect(() => withCheckHook("repos: 5\n", "x", ".")).toThrow("no list of repos");
});

test("writes an executable hook of git, and keeps one that somebody else wrote", async () => {
  await run(["ci", "apps/my_app", "--pre-push"]);
  const hook = path.join(root, ".git/hooks/pre-push");
  expect((await stat(hook)).mode & 0o111).not.toBe(0);
  expect(await readFile(hook, "utf8")).toMatch(
    /^#!\/bin\/sh\n# Made by .*\n.*robot-app-assistant\S* check apps\/my_app >&2 \|\| exit 1\n$/,
  );
  expect((await run(["ci", "apps/my_app", "--pre-push"])).out).toContain("unchanged");
  await writeFile(hook, `${await readFile(hook, "utf8")}echo mine\n`);
  await mkdir(path.join(root, "apps/other_app"));
  expect((await run(["ci", "apps/other_app", "--pre-push"])).out).toContain("changed");
  const lines = (await readFile(hook, "utf8")).split("\n").slice(2);
  expect(lines.map((line) => line.replace(/.*(?=check)/, ""))).toEqual([
    "check apps/my_app >&2 || exit 1",
    "echo mine",
    "check apps/other_app >&2 || exit 1",
    "",
  ]);
  expect((await run(["ci", "apps/my_app", "--pre-push"])).out).toContain("unchanged");
  await writeFile(hook, "#!/bin/sh\nexit 0\n");
  expect(await run(["ci", "apps/my_app", "--pre-push"])).toMatchObject({ code: 2 });
});

test("asks on a terminal, and refuses to guess elsewhere", async () => {
  expect(await run(["ci", "apps/my_app"])).toMatchObject({ code: 2, err: expect.stringContaining("--workflow") });
  const person = { interactive: true, confirm: async (question: string) => question.includes("pre-commit") };
  expect((await run(["ci", "apps/my_app"], person)).out).toBe("✓ created .pre-commit-config.yaml\n");
  expect(await run(["ci", "apps/my_app", "--workflow", "--action", "x"])).toMatchObject({ code: 2 });
  const outside = temporaryFolder("no-repository-");
  const env = { PATH: process.env.PATH, HOME: root, GIT_CEILING_DIRECTORIES: path.dirname(outside) };
  expect(await run(["ci", ".", "--pre-push"], { cwd: outside, env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("run git init first"),
  });
  const nothing = { interactive: true, confirm: async () => false };
  expect(await run(["ci", "apps/my_app"], nothing)).toMatchObject({ code: 0, out: "Nothing was chosen or written.\n" });
});

test("names the app's folder as git does, also through a symbolic link", async () => {
  const link = path.join(temporaryFolder("link-"), "app");
  await symlink(path.join(root, "apps/my_app"), link);
  expect(await run(["ci", link, "--pre-commit"])).toMatchObject({ code: 0 });
  expect(parse(await read(".pre-commit-config.yaml")).repos[0].hooks[0].args).toEqual(["apps/my_app"]);
});

test("says what is wrong with git or the folder, and does not call it no repository", async () => {
  const args = ["ci", "apps/my_app", "--pre-commit"];
  const wrong = (env: Record<string, string | undefined>) => run(args, { env });
  expect((await wrong({ PATH: root, HOME: root })).err).toContain("git is not installed");
  expect((await run(["ci", "apps/no_app", "--pre-commit"])).err).toContain("There is no folder");
  await writeFile(path.join(root, ".git/config"), "[core\n");
  expect((await run(args)).err).toMatch(/git cannot read the repository of .*config/);
});

test("the summary names what is not met, and nothing of the app becomes Markdown or HTML", async () => {
  const check = await reportWith({ "style.css": null, "a|<b>`c`_d_.pem": "x" });
  const text = jobSummary(check, null, { artifact: "out", certification: true });
  expect(text).toContain("## ❌ hello\\_robot: not conformant");
  expect(text).toContain("| ❌ PKG-001 | MUST |");
  expect(text).toContain("`` a\\|<b>`c`_d_.pem ``");
  const verdict = { ...check, verdict: "conformant", digest: "sha256:ab", seed: 3 };
  expect(jobSummary(check, verdict, { artifact: "out", certification: true })).toContain('  "pass" : ');
});

/** `ci summary` of a folder with these files. */
async function summaryOf(files: Record<string, unknown>, ...flags: string[]) {
  const folder = path.join(root, "out");
  await mkdir(folder);
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), JSON.stringify(content));
  return run(["ci", "summary", folder, ...flags]);
}

const CONFORMANT = /✅ .*: conformant/;
const verdictOn = (check: CheckReport, only: string[] | null) => ({ ...check, only, digest: "sha256:ab", seed: 3 });

test("a whole certification, and a check without one, are conformant", async () => {
  const check = await reportWith({});
  const options = { artifact: "out", certification: true };
  expect(jobSummary(check, verdictOn(check, null), options)).toMatch(CONFORMANT);
  expect(jobSummary(check, null, { ...options, certification: false })).toMatch(CONFORMANT);
});

test("a certification that ended before it wrote a verdict has none", async () => {
  const { out } = await summaryOf({ "check.json": await reportWith({}) }, "--certification");
  expect(out).not.toMatch(CONFORMANT);
  expect(out).toContain("## ❌ hello\\_robot: no verdict\n\nThe certification ended before it wrote a verdict");
});

test("an app that fails its check is not conformant, whatever was asked for", async () => {
  const { out } = await summaryOf({ "check.json": await reportWith({ "style.css": null }) }, "--certification");
  expect(out).toContain("## ❌ hello\\_robot: not conformant\n\ncheck: ");
});

test("a certification of a part says so", async () => {
  const check = await reportWith({});
  const files = { "check.json": check, "verdict.json": verdictOn(check, ["PKG-001", "LIFE-003"]) };
  const { out } = await summaryOf(files, "--certification");
  expect(out).not.toMatch(CONFORMANT);
  expect(out).toContain("Judged: PKG-001, LIFE-003. A part of the requirements is no certification.");
});

test("a check of selected rules names those that were left out", async () => {
  const check = { ...(await reportWith({})), leftOut: ["PKG-011"] };
  const { out } = await summaryOf({ "check.json": check });
  expect(out).not.toMatch(CONFORMANT);
  expect(out).toContain("Not checked: PKG-011.");
});

test("a report that cannot be read is not taken for a missing one", async () => {
  await mkdir(path.join(root, "out/verdict.json"), { recursive: true });
  await writeFile(path.join(root, "out/check.json"), JSON.stringify(await reportWith({})));
  expect(await run(["ci", "summary", "out"])).toMatchObject({
    ...{ code: 2, out: "" },
    err: expect.stringContaining("verdict.json cannot be read (EISDIR)"),
  });
});
