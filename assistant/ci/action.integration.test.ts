import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { runAction } from "./testing/action-runner.ts";

const ACTION = process.cwd();
let home = "";
let workspace = "";

beforeEach(() => {
  home = temporaryFolder("action é ");
  workspace = path.join(home, "work");
  cpSync("fixtures/apps/hello_robot", path.join(workspace, "apps/hello_robot"), { recursive: true });
});

function run(inputs: Record<string, string>, github: Record<string, string> = {}, more: NodeJS.ProcessEnv = {}) {
  const temp = path.join(home, "temp");
  mkdirSync(temp, { recursive: true });
  // The clean Python environment that the tests prepare, as the runner's cache would have it.
  const cached = path.join(home, "data/robot-daemon/certification");
  mkdirSync(cached, { recursive: true });
  symlinkSync(path.resolve("artifacts/certification/apps_venv"), path.join(cached, "apps_venv"));
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: path.join(home, "data"), ...more };
  return runAction({ action: ACTION, workspace, temp, inputs: { path: "apps/hello_robot", ...inputs }, github, env });
}

const change = (file: string, find: string, put: string): void => {
  const name = path.join(workspace, "apps/hello_robot", file);
  const text = readFileSync(name, "utf8");
  expect(text).toContain(find);
  writeFileSync(
    name,
    text.replace(find, () => put),
  );
};

test("a good app passes the check: summary, SARIF, outputs and the artifact", () => {
  const { succeeded, outputs, summary, log, used, failed } = run({ certify: "false" });
  expect({ succeeded, failed, log }).toEqual({ succeeded: true, failed: [], log: expect.any(String) });
  expect(outputs.verdict).toBe("conformant");
  expect(summary).toContain("✅ hello\\_robot: conformant");
  expect(log).not.toContain("::error");
  const report = outputs.report ?? "";
  expect(JSON.parse(readFileSync(path.join(report, "check.sarif"), "utf8")).version).toBe("2.1.0");
  expect(used.map(({ uses }) => uses.split("@")[0])).toEqual([
    "actions/setup-node",
    "actions/setup-python",
    "actions/cache",
    "actions/upload-artifact",
  ]);
  expect(used.at(-1)?.with).toMatchObject({ path: report, name: "robot-app-verdict" });
});

const lineOf = (file: string, part: string): number => {
  const text = readFileSync(path.join(workspace, "apps/hello_robot", file), "utf8");
  return text.slice(0, text.indexOf(part)).split("\n").length;
};

test.each([
  ["an async run", "hello_robot/main.py", "def run(", "async def run(", "PKG-006"],
  ["another group", "pyproject.toml", "robot_apps", "robot-apps", "PKG-003"],
  ["a page that is not shipped", "pyproject.toml", 'hello_robot = ["static/*"]', "", "PKG-012"],
])("a broken app fails with annotations: %s", (_, file, find, put, id) => {
  change(file, find, put);
  const { succeeded, outputs, summary, log, used, failed } = run({});
  expect({ succeeded, failed }).toEqual({ succeeded: false, failed: ["Check the app"] });
  expect(outputs.verdict).toBe("not-conformant");
  // What is missing has no line of its own.
  const line = put === "" ? 1 : lineOf(file, put);
  expect(log).toContain(`file=apps/hello_robot/${file},line=${line},title=${id} `);
  expect(log.match(/^::error/gm)).toHaveLength(1);
  expect(summary).toContain("❌ hello\\_robot: not conformant");
  // The artifact is uploaded nevertheless, and nothing is attested.
  expect(used.map(({ uses }) => uses.split("@")[0]).at(-1)).toBe("actions/upload-artifact");
});

test("a part of the requirements is judged as the options say, and not attested", () => {
  const options = "--only PKG-001 --seed 7";
  const { succeeded, outputs, used, summary, log, failed } = run({ "certify-options": options });
  expect({ succeeded, failed, log }).toEqual({ succeeded: true, failed: [], log: expect.any(String) });
  expect(outputs.verdict).toBe("conformant");
  expect(summary).toContain("```mermaid");
  expect(summary).toContain("seed 7");
  expect(summary).not.toMatch(/✅ .*: conformant/);
  expect(used.map(({ uses }) => uses.split("@")[0])).not.toContain("actions/attest");
});

test("a certification that ends without a verdict is not conformant, also after one of another app in the same job", () => {
  const report = path.join(home, "temp/robot-app-verdict");
  mkdirSync(report, { recursive: true });
  writeFileSync(path.join(report, "verdict.json"), "{}");
  const { succeeded, outputs, summary } = run({ "certify-options": "--no-such-option" });
  expect(succeeded).toBe(false);
  expect(outputs.verdict).toBe("error");
  expect(summary).toContain("❌ hello\\_robot: no verdict");
});

test.each([
  ["push", true],
  ["pull_request", false],
])("the predicate of a whole certification is attested after a %s: %s", (event_name, isAttested) => {
  // A whole certification takes a minute, so this program stands in for it: it writes the files that the action reads.
  const assistant = path.join(home, "robot-app-assistant");
  writeFileSync(
    assistant,
    `#!/bin/sh
case "$1" in
  check) mkdir -p "$6" && echo '{}' > "$6/check.json" ;;
  certify) echo '{}' > "$4/verdict.json" && echo '{}' > "$4/predicate.json" ;;
esac
`,
    { mode: 0o755 },
  );
  const tools = path.join(home, "temp/robot-app-tools/node_modules/.bin");
  mkdirSync(tools, { recursive: true });
  symlinkSync(assistant, path.join(tools, "robot-app-assistant"));
  const npm = path.join(home, "bin");
  mkdirSync(npm);
  writeFileSync(path.join(npm, "npm"), "#!/bin/sh\n", { mode: 0o755 });
  const { succeeded, used, log } = run({ package: "x.tgz" }, { event_name }, { PATH: `${npm}:${process.env.PATH}` });
  expect({ succeeded, log }).toEqual({ succeeded: true, log: expect.any(String) });
  const attest = used.find(({ uses }) => uses.startsWith("actions/attest@"))?.with;
  expect(attest !== undefined).toBe(isAttested);
  for (const name of ["predicate-path", "subject-path"] as const)
    if (attest !== undefined) expect(existsSync(attest[name] ?? "")).toBe(true);
});
