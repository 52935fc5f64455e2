import { expect, test } from "vitest";
import { REACHY_MINI } from "../../../robot/dialects/dialects.ts";
import { checkFiles } from "../check-app.ts";
import { planFixes } from "../fix/plan-fixes.ts";
import { REQUIREMENTS } from "../requirements.ts";
import { exampleFiles } from "../testing/example-app.ts";
import { webExtra } from "./pkg-013-web-extra.ts";

const PYPROJECT = "pyproject.toml";
const LINE = 'dependencies = ["robot-sdk[web]"]';

/** The example app, which has a page, with another line of dependencies. */
function withLine(line: string): Map<string, string | null> {
  const text = exampleFiles.get(PYPROJECT) ?? "";
  expect(text).toContain(LINE);
  return new Map<string, string | null>(exampleFiles).set(
    PYPROJECT,
    text.replace(LINE, () => line),
  );
}

/** The same app in the other dialect. */
function asReachyMini(files: Map<string, string | null>): Map<string, string | null> {
  const { group, sdk } = REACHY_MINI;
  const changed = [...files].map(([file, text]) => {
    const renamed = text?.replaceAll("robot_apps", group).replaceAll("robot_sdk", sdk.module);
    return [file, renamed?.replaceAll("RobotApp", sdk.appClass) ?? null] as const;
  });
  return new Map(changed);
}

async function judged(files: Map<string, string | null>) {
  const [result] = (await checkFiles("my_app", files, [webExtra])).results;
  return { status: result?.status, messages: result?.findings.map(({ message }) => message) };
}

test.each([
  'dependencies = ["robot-sdk[web]"]',
  'dependencies = ["numpy", "Robot_SDK[dev, web]>=0.1"]',
  "dependencies = [\"robot.sdk [web] ; python_version > '3.9'\"]",
  'dependencies = ["robot-sdk", "fastapi>=0.100"]',
])("%s meets it", async (line) => {
  expect(await judged(withLine(line))).toEqual({ status: "pass", messages: [] });
});

test.each([
  ['dependencies = ["Robot.SDK>=0.1"]', 'depends on "Robot.SDK>=0.1"; write "robot-sdk[web]"'],
  ['dependencies = ["robot-sdk[web-tools]"]', 'write "robot-sdk[web]"'],
  ['dependencies = ["robot-sdk", "fastapi-utils"]', 'depends on "robot-sdk"; write "robot-sdk[web]"'],
  ['dependencies = ["robot-sdk-extras[web]"]', 'does not depend on robot-sdk; add "robot-sdk[web]"'],
  ['dependencies = ["numpy"]', 'does not depend on robot-sdk; add "robot-sdk[web]"'],
  ["# no dependencies", 'does not depend on robot-sdk; add "robot-sdk[web]"'],
])("%s is a warning", async (line, message) => {
  expect(await judged(withLine(line))).toEqual({ status: "warn", messages: [expect.stringContaining(message)] });
});

test("dynamic dependencies are not judged", async () => {
  expect(await judged(withLine('dynamic = ["dependencies"]'))).toMatchObject({ status: "skip" });
});

test("an app without a page needs no web server", async () => {
  const main = exampleFiles.get("my_app/main.py") ?? "";
  const files = withLine("").set("my_app/main.py", main.replace('"http://localhost:8042"', "None"));
  expect(await judged(files)).toMatchObject({ status: "pass" });
});

test.each([
  ['dependencies = ["reachy-mini"]', "pass", []],
  ['dependencies = ["Reachy_Mini>=1.2", "numpy"]', "pass", []],
  ['dependencies = ["reachy-mini[mujoco]"]', "pass", []],
  [
    'dependencies = ["reachy-mini-extras", "fastapi"]',
    "warn",
    [expect.stringContaining('does not depend on reachy-mini; add "reachy-mini" to the dependencies')],
  ],
])("a Reachy Mini app with %s: %s", async (line, status, messages) => {
  expect(await judged(asReachyMini(withLine(line)))).toEqual({ status, messages });
});

test("the fix adds the extra to the SDK alone", async () => {
  const { changes } = await planFixes(withLine('dependencies = ["robot-sdk-extras", "robot_sdk>=0.1"]'), REQUIREMENTS);
  expect(changes.map(({ after }) => after)).toEqual([
    expect.stringContaining('"robot-sdk-extras", "robot_sdk[web]>=0.1"'),
  ]);
});

test("nothing is added to an app that does not depend on the SDK", async () => {
  expect((await planFixes(withLine('dependencies = ["numpy"]'), REQUIREMENTS)).changes).toEqual([]);
});
