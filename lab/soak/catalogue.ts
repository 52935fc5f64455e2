// Certifies a generated catalogue with four workers while workers, Redis and the run itself are killed at random: every app
// must get exactly one verdict, the one that it was made to get.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../common/seeded-random.ts";
import { StepFailed } from "../../scripts/setup/steps.mjs";
import { findRedis } from "../../scripts/setup/system-programs.mjs";
import { until } from "../bench/daemon.ts";
import { figure, section } from "../bench/figures.ts";
import { APP, planKinds, writeApp } from "./catalogue/apps.ts";
import { certifyWhole, compareInProcess } from "./catalogue/in-process.ts";
import { printResult } from "./catalogue/result.ts";
import { runWithKills } from "./catalogue/run-with-kills.ts";
import { ASSISTANT_SCRIPT, Programs } from "./programs.ts";

/**
 * @param count apps of the short tier
 * @param whole apps that are judged by the whole suite, too
 */
export async function soakCatalogue(count: number, whole: number, seed: number) {
  section(`Catalogue: ${count} apps, ${whole} of them also by the whole suite, --seed ${seed}`);
  const redisServer = findRedis();
  if (redisServer === null) throw new StepFailed("redis-server is missing: apt install redis-server");
  const folder = mkdtempSync(join(tmpdir(), "robot-soak-catalogue-"));
  const programs = new Programs();
  try {
    const apps = join(folder, "apps");
    mkdirSync(apps);
    const random = seededRandom(seed);
    const plan = writeCatalogue(count, apps, random);
    const store = join(folder, "store");
    const { run, kills, redisBytes } = await runWithKills({ folder, apps, store, redisServer, programs, random });
    printResult(run, plan, store, kills, redisBytes);
    await compareInProcess(run, apps, folder, programs);
    if (whole > 0) await certifyWhole(whole, apps, plan, folder, programs);
    await until("all processes end", 30_000, async () => (await programs.left()).length === 0).catch(() => {});
    const left = (await programs.left()).length;
    figure("processes left", `${left}`, "0", left === 0);
  } finally {
    programs.killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function writeCatalogue(count: number, into: string, random: () => number) {
  const scratch = mkdtempSync(join(tmpdir(), "robot-soak-"));
  const { status, stderr } = spawnSync(process.execPath, [ASSISTANT_SCRIPT, "create", APP, scratch], {
    encoding: "utf8",
  });
  if (status !== 0) throw new StepFailed(`create ${APP} exited with code ${status}: ${stderr}`);
  const plan = planKinds(count, random);
  for (const [number, kind] of plan.entries()) writeApp(join(scratch, APP), into, kind, number);
  rmSync(scratch, { recursive: true });
  return plan;
}
