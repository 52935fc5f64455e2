import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import type { AppUnderTest } from "../runner/app/app-under-test.ts";
import type { IsolationPlan } from "../runner/isolation/isolation-plan.ts";
import { AppTestsRunner } from "./app-tests-runner.ts";

const RESULT = { passed: 1, failed: 0, skipped: 0, duration: 1, failures: [], problem: null };
const BUBBLEWRAP = { path: "/usr/bin/bwrap", knows: [], pythonFolders: [] };

/** A run of the tests of an app with or without any, which says when they begin. */
function appTests(isolation: Partial<IsolationPlan>, hasTests = true) {
  const folder = temporaryFolder("robot-app-tests-");
  mkdirSync(join(folder, "tests"));
  if (hasTests) writeFileSync(join(folder, "tests/test_app.py"), "");
  const log: string[] = [];
  const tests = new AppTestsRunner(
    {
      ...{ folder, clean: "", into: "" },
      isolation: { network: true, quota: true, python: "", bubblewrap: BUBBLEWRAP, reason: null, ...isolation },
      host: { env: {}, now: () => 0, signal: new AbortController().signal },
      progress: { plan: () => {}, begin: (step) => log.push(`${step} begin`), end: (step) => log.push(`${step} end`) },
    },
    async ({ name, host }) => {
      log.push(name);
      if (name === "endless")
        await new Promise((_, reject) => host.signal.addEventListener("abort", () => reject(host.signal.reason)));
      return RESULT;
    },
  );
  const install = (name = "my_app") => tests.onInstalled({ module: `${name}.main` } as AppUnderTest, "/venv");
  return { tests, log, install };
}

test("the tests run beside the test runs where the sandbox keeps them apart", async () => {
  const { tests, log, install } = appTests({});
  install();
  await expect.poll(() => log).toContain("my_app");
  expect(await tests.result()).toEqual(RESULT);
  expect(log).toEqual(["the app's tests begin", "my_app", "the app's tests end"]);
});

test.each([
  ["without bubblewrap", { bubblewrap: null }],
  ["with the machine's network", { network: false }],
])("%s the tests run after the test runs, whose daemon they could find", async (_, isolation) => {
  const { tests, log, install } = appTests(isolation);
  install();
  expect(log).toEqual([]);
  expect(await tests.result()).toEqual(RESULT);
});

test("an app without tests, or that cannot be installed, has no result", async () => {
  const { tests, log, install } = appTests({}, false);
  install();
  expect(await tests.result()).toBeNull();
  expect(await appTests({}).tests.result()).toBeNull();
  expect(log).toEqual([]);
});

test("a certification that fails ends the tests", async () => {
  const { tests, log, install } = appTests({});
  install("endless");
  await expect.poll(() => log).toContain("endless");
  await tests.close();
  expect(log.at(-1)).toBe("the app's tests end");
});
