import { type SpawnOptions, spawn } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { withUv } from "../../scripts/setup/python-env.mjs";
import type { PlantedBug } from "./bugs.ts";

/** What finds a bug: the first test that fails, or null. */
export interface Finds {
  model: string | null;
  tests: string | null;
  scenarios: string | null;
  seeds: string | null;
}

/** Longest time of a run; one that does not end has found the bug. */
const TIMEOUT_MS = 150_000;
/** Longest time of one of its tests, so that the run says which one found the bug. */
const TEST_TIMEOUT_MS = 100_000;
const SEEDS_TIMEOUT_MS = 900_000;
/** Seeds that run with a bug at most. */
const SEEDS = 40;
const ENDLESS = "the run did not end";
/** The test that compares the slot with the model. */
const MODEL_TEST = "the model of the lifecycle allows";
const CONTRADICTION = "The model does not allow";
const FEATURES = ["features/lifecycle.feature", "features/startup-app.feature"];
/** Unit tests of a file that are in other folders. */
const UNIT_TESTS: Record<string, string[]> = {
  "daemon/start/daemon.ts": ["daemon/http/routes/motion", "daemon/http/sockets/sdk/sdk-socket"],
};

/**
 * @param planted null for none
 * @param parts which tests run: `units`, `scenarios`, `seeds`
 * @returns what fails in a copy of the repository
 */
export async function findsIn(
  copy: string,
  planted: Pick<PlantedBug, "file" | "row"> | null,
  parts: readonly string[],
): Promise<Finds> {
  const slot = ["daemon/apps/slot", "daemon/apps/startup"];
  const file = planted?.file ?? null;
  const folders = file === null ? slot : [...new Set([...slot, ...(UNIT_TESTS[file] ?? [`${dirname(file)}/`])])];
  const units = parts.includes("units") ? await failedUnitTests(copy, folders) : [];
  const scenarios = parts.includes("scenarios") ? await failedScenarios(copy, planted?.row ?? ".") : [];
  return {
    model: [...units, ...scenarios].find((each) => each.includes(MODEL_TEST) || each.includes(CONTRADICTION)) ?? null,
    tests: units.find((each) => !each.includes(MODEL_TEST)) ?? null,
    scenarios: scenarios.find((each) => !each.includes(CONTRADICTION)) ?? null,
    seeds: parts.includes("seeds") ? await firstViolation(copy) : null,
  };
}

async function failedUnitTests(copy: string, folders: readonly string[]): Promise<string[]> {
  const report = "artifacts/unit.json";
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    "unit",
    "--testTimeout",
    String(TEST_TIMEOUT_MS),
    "--reporter",
    "json",
    "--outputFile",
    report,
  ];
  if (!(await run(copy, [...args, ...folders]))) return [ENDLESS];
  const { testResults } = JSON.parse(readReport(copy, report) ?? '{"testResults":[]}') as {
    testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
  };
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === "failed").map(({ fullName }) => fullName);
    return failed.length === 0 && status === "failed" ? [relative(copy, name)] : failed;
  });
}

/** The first violation of a seed, without what follows its first line. */
async function firstViolation(copy: string): Promise<string | null> {
  const report = "artifacts/seeds.txt";
  const args = ["--import", "tsx", "lab/main.ts", "seeds", "--count", String(SEEDS), "--fail-fast"];
  const isEnded = await run(copy, args, { timeoutMs: SEEDS_TIMEOUT_MS, output: report });
  const [violation] = /^seed \d+: .*$/m.exec(readReport(copy, report) ?? "") ?? [];
  return violation ?? (isEnded ? null : ENDLESS);
}

async function failedScenarios(copy: string, names: string): Promise<string[]> {
  const report = "artifacts/features.ndjson";
  const cucumber = [
    "--import",
    "tsx",
    "node_modules/@cucumber/cucumber/bin/cucumber.js",
    "--format",
    `message:${report}`,
  ];
  // One failure is enough; the model compares the same scenario.
  const isEnded = await run(copy, [...cucumber, "--fail-fast", "--name", names, ...FEATURES]);
  const failed = readMessages(copy, report).flatMap(({ testStepFinished }) => {
    const { status, message = "failed" } = testStepFinished?.testStepResult ?? {};
    return status === "FAILED" ? [message.split("\n", 3).join(" ").trim()] : [];
  });
  return isEnded ? failed : [...failed, ENDLESS];
}

/** A message of cucumber, as far as it is needed. */
interface Message {
  testStepFinished?: { testStepResult: { status: string; message?: string } };
}

const readMessages = (copy: string, report: string): Message[] =>
  (readReport(copy, report) ?? "")
    .split("\n")
    .filter((line) => line.includes('"testStepFinished"'))
    .map((line) => JSON.parse(line));

/**
 * @param output file of the copy for what the run prints; null for none
 * @returns whether it has ended in time; if not, its processes are killed
 */
function run(
  copy: string,
  args: readonly string[],
  { timeoutMs = TIMEOUT_MS, output = null }: { timeoutMs?: number; output?: string | null } = {},
): Promise<boolean> {
  const stdout = output === null ? "ignore" : openSync(join(copy, output), "w");
  const options: SpawnOptions = {
    cwd: copy,
    env: withUv(process.env),
    stdio: ["ignore", stdout, "ignore"],
    detached: true,
  };
  const child = spawn(process.execPath, args, options);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      process.kill(-(child.pid ?? 0), "SIGKILL");
      resolve(false);
    }, timeoutMs);
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

const readReport = (copy: string, report: string): string | null =>
  existsSync(join(copy, report)) ? readFileSync(join(copy, report), "utf8") : null;
