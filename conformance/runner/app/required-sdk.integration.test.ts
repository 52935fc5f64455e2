import { resolve } from "node:path";
import { expect, test } from "vitest";
import { cleanEnvironment } from "./clean-environment.ts";
import { requiredSdkIn } from "./required-sdk.ts";

const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };

test.each([
  ["present", ["robot-sdk"]],
  ["present", ["scipy", "Robot.SDK[web] >= 0.0.1, <1000"]],
  ["present", ["robot_sdk (>=0.0.1)"]],
  ["present", ["robot-sdk>=1000; python_version < '3'", "robot-sdk"]],
  ["absent", ["robot-sdk>=1000"]],
  ["absent", ["robot-sdk>=0.0.1", "robot-sdk>=1000"]],
  ["absent", ["robot-sdk>=1000; python_version >= '3'", "robot-sdk; python_version < '3'"]],
  ["unneeded", ["robot-sdk; python_version < '3'"]],
  ["unneeded", ["robot-sdk @ https://example.org/sdk.whl"]],
  ["unneeded", ["robot-sdk-toolbox>=1", "numpy"]],
  ["unneeded", ["robot-sdk is no requirement"]],
  ["unneeded", []],
])("the SDK is %s in an environment for the requirements %j", async (expected, dependencies) => {
  const venv = await cleanEnvironment(resolve("artifacts/certification"), host, (_name, work) => work());
  expect(await requiredSdkIn(venv, dependencies, "robot-sdk", host)).toBe(expected);
});

test("an SDK that is not installed is absent", async () => {
  const venv = await cleanEnvironment(resolve("artifacts/certification"), host, (_name, work) => work());
  expect(await requiredSdkIn(venv, ["reachy-mini"], "reachy-mini", host)).toBe("absent");
});
