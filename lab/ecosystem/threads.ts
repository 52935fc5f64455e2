// The scenarios of users' threads that the public daemon can be asked, too: it runs on robot-sim, with its own SDK and the fixture
// apps in its dialect. Writes what it did into threads.json, from which docs/compatibility.md is made.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { run } from "../../scripts/setup/steps.mjs";
import { runFeatures } from "../../scripts/test/suites.mjs";
import { section } from "../bench/figures.ts";
import { VENV } from "./public-sdk.ts";
import { add } from "./table.ts";

const APPS = ["steady_app", "goto_app", "sleepy_app", "crash_in_run"];
const FOLDER = "artifacts/ecosystem/apps";
const REPORT = "artifacts/ecosystem/threads.report.json";
const TABLE = "lab/ecosystem/threads.json";
/** Names of our dialect in the sources of the apps, and those of the public SDK. */
const NAMES = [
  ["from robot_sdk import Robot, RobotApp", "from reachy_mini import ReachyMini as Robot, ReachyMiniApp as RobotApp"],
  ["robot_sdk.utils", "reachy_mini.utils"],
  ["entry-points.robot_apps", "entry-points.reachy_mini_apps"],
  ['dependencies = ["robot-sdk"]', "dependencies = []"],
];

/** Installs the fixture apps into the public daemon's environment. */
async function installApps() {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const app of APPS) {
    cpSync(`fixtures/apps/${app}`, `${FOLDER}/${app}`, { recursive: true });
    for (const file of [`${FOLDER}/${app}/pyproject.toml`, `${FOLDER}/${app}/${app}/main.py`]) {
      const text = readFileSync(file, "utf8");
      writeFileSync(
        file,
        NAMES.reduce((result, [ours = "", theirs = ""]) => result.replaceAll(ours, theirs), text),
      );
    }
  }
  const pip = ["-m", "pip", "--quiet", "install", "--no-deps", "--no-index", "--no-build-isolation"];
  await run(`${VENV}/bin/python`, [...pip, ...readdirSync(FOLDER).map((app) => `./${FOLDER}/${app}`)]);
}

type Step = { name: string; keyword: string; hidden?: boolean; result: { status: string; error_message?: string } };
interface Scenario {
  name: string;
  tags: { name: string }[];
  steps: Step[];
}

/** @returns yes, or the step that the public daemon does not do; null when it did not start */
function verdictOf(steps: Step[]): string | null {
  const failed = steps.find(({ result }) => result.status !== "passed");
  if (failed === undefined) return "yes";
  return failed.hidden || failed.keyword.startsWith("Given") ? null : `no: ${failed.name}`;
}

/** @param only tags; all when there is none */
export async function runThreads(only: string[]) {
  section("Threads of users on the public daemon");
  await installApps();
  const tags = only.length === 0 ? "@peer" : `@peer and (${only.map((tag) => `@${tag}`).join(" or ")})`;
  const env = { FEATURES_TARGET: "peer" };
  await runFeatures(["--tags", tags, "--format", `json:${REPORT}`], { env, log: "artifacts/ecosystem/threads.log" });
  const features: { elements: Scenario[] }[] = JSON.parse(readFileSync(REPORT, "utf8"));
  const table = JSON.parse(readFileSync(TABLE, "utf8"));
  const verdicts: Record<string, string> = {};
  for (const { name, tags: has, steps } of features.flatMap(({ elements }) => elements)) {
    const verdict = verdictOf(steps);
    const shown = name.slice(0, 48);
    if (verdict === null) {
      add({ name: shown, status: "failed", note: "the scenario could not begin: artifacts/ecosystem/threads.log" });
      continue;
    }
    add({ name: shown, status: "ok", note: verdict });
    for (const tag of has.map((each) => each.name.slice(1)).filter((tag) => tag in table))
      if (!verdicts[tag]?.startsWith("no")) verdicts[tag] = verdict;
  }
  for (const [tag, verdict] of Object.entries(verdicts)) table[tag].peer = verdict;
  writeFileSync(TABLE, `${JSON.stringify(table, null, 2)}\n`);
}
