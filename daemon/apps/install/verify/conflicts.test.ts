import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../../common/time/clock.ts";
import { addDistribution, type TestDistribution } from "../../testing/distribution.ts";
import { installedDistributions } from "../environment/installed-distributions.ts";
import { rejectConflicts } from "./conflicts.ts";

const WAVE: TestDistribution = { name: "wave", requires: "dance" };
const UNMET = "steady 1.0 has requirement";

/**
 * Installs the app wave into an environment, and rejects its conflicts.
 * @param there what is in the environment before
 * @param added what comes with the app
 * @param unmet what pip's check finds
 * @returns the error's code, null without one, and how often pip was asked
 */
async function installWave(there: TestDistribution[], added: TestDistribution[], unmet: string) {
  const venv = temporaryFolder("conflicts-");
  const sitePackages = path.join(venv, "lib/python3.12/site-packages");
  mkdirSync(sitePackages, { recursive: true });
  for (const each of there) await addDistribution(sitePackages, each);
  const before = await installedDistributions(venv);
  for (const each of [WAVE, ...added]) await addDistribution(sitePackages, each);
  let checks = 0;
  const confine = <Command>(command: Command) => {
    checks += 1;
    return { ...command, file: "/bin/sh", args: ["-c", 'echo "$0"; exit 1', unmet] };
  };
  const parts = { venv, uv: null, env: { PATH: process.env.PATH }, trustedPython: "python3", confine };
  const run = { clock: systemClock, onLine: () => {}, scratch: venv };
  const code = await rejectConflicts("wave", before, parts, run).then(
    () => null,
    (error) => error.code,
  );
  return { code, checks };
}

test("pip is not asked about an app that changes nothing else, and that nothing requires", async () => {
  const there: TestDistribution[] = [{ name: "dance" }, { name: "steady", requires: "dance<2" }];
  expect(await installWave(there, [], `${UNMET} wave<1, but you have wave 1.0.`)).toEqual({ code: null, checks: 0 });
});

test("an app that another distribution requires in another version is refused", async () => {
  const there = [{ name: "dance" }, { name: "steady", requires: "Wave<1" }];
  const unmet = `${UNMET} wave<1, but you have wave 1.0.`;
  expect(await installWave(there, [], unmet)).toEqual({ code: "dependency-conflict", checks: 1 });
});

test("an app that brings another version of what another distribution requires is refused", async () => {
  const unmet = `${UNMET} dance<2, but you have dance 2.0.`;
  const there = [{ name: "steady", requires: "dance<2" }];
  expect(await installWave(there, [{ name: "dance", version: "2.0" }], unmet)).toEqual({
    code: "dependency-conflict",
    checks: 1,
  });
});

test("what was unmet before, of distributions that the install did not touch, does not count", async () => {
  const there = [{ name: "steady", requires: "numpy<2" }];
  const unmet = `${UNMET} numpy<2, but you have numpy 2.0.`;
  expect(await installWave(there, [{ name: "dance" }], unmet)).toEqual({ code: null, checks: 1 });
});
