// npm run lab -- virtual-time [--runs 10] [--seconds 10] [--busy 0] [--python PYTHON] [NAME or FOLDER...]: runs apps as their
// authors' tests do (the fixture `robot_app` of robot-sdk), each several times, and prints how long that takes, whether every run
// moved the robot in the same way to the last bit, and why a run went on in real time. Names are those of the templates, of
// hello_robot and of fixtures/good-apps (default: all of them); a folder holds another app, whose requirements PYTHON must have.
// Without --python, an app of the public SDK gets an environment with that SDK and with what else it requires. --busy runs so
// many endless loops meanwhile. The rows are kept in docs/data with --keep, and written into docs/testing-apps.md with --docs.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { replaceTable } from "../conformance/testing/docs-tables.ts";
import { copyAppWithChanges, GOOD_APPS } from "../conformance/testing/mutants.ts";
import { REACHY_MINI } from "../robot/dialects/dialects.ts";
import { parseProjectFile } from "../robot/project/project-file.ts";
import { buildPrograms } from "../scripts/setup/prepare.mjs";
import { median } from "./bench/figures.ts";
import { preparePublicSdk, SDK_VERSION, VENV } from "./ecosystem/public-sdk.ts";
import { appendRow, readRows } from "./mutants/rows.ts";

const TEMPLATES = ["default", "settings", "page", "conversation"];
const PYTHON = ".venv/bin/python";
const FILE = "docs/data/virtual-time.jsonl";
const PAGE = "docs/testing-apps.md";
/** Milliseconds that a run may take. */
const DEADLINE_MS = 180_000;

/** An author's test that writes what a run showed to the file named by RESULT. */
const TEST = `import hashlib, json, os, time
def test_virtual_time(robot_app):
    began = time.monotonic()
    problem = None
    try:
        robot_app.advance(float(os.environ["SECONDS"]))
        if robot_app.is_running:
            robot_app.stop()
    except AssertionError as error:
        problem = str(error)[-300:]
    series = [*vars(robot_app.head).values(), robot_app.body_yaw, *vars(robot_app.antennas).values()]
    motion = repr([(each.times, each.values) for each in series])
    json.dump({
        "real": time.monotonic() - began, "virtual": robot_app.time, "because": robot_app.real_time_because,
        "problem": problem, "digest": hashlib.sha256(motion.encode()).hexdigest(),
    }, open(os.environ["RESULT"], "w"))
`;

interface Run {
  /** Seconds of this machine, and of the robot. */
  real: number;
  virtual: number;
  /** Why it went on in real time; null when it did not. */
  because: string | null;
  /** Why the app did not stop with code 0. */
  problem: string | null;
  digest: string;
}

interface Row {
  name: string;
  runs: number;
  /** Medians of seconds. */
  virtual: number;
  real: number;
  /** Whether every run moved the robot in the same way to the last bit. */
  same: boolean;
  /** Runs that went on in real time, and why the first did. */
  changed: number;
  because: string | null;
  /** Why a run did not stop with code 0. */
  problem: string | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "10" },
    seconds: { type: "string", default: "10" },
    busy: { type: "string", default: "0" },
    python: { type: "string" },
    keep: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
  },
});

/** Runs a program. @returns its output @throws Error with the output when it fails and `reject` is not false */
const run = async (
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; reject?: boolean } = {},
) => (await execa(command, args, { ...options, all: true, stdin: "ignore", timeout: DEADLINE_MS })).all ?? "";

/** Copies or creates an app. @returns its folder */
async function prepare(name: string, into: string): Promise<string> {
  const good = GOOD_APPS[name];
  if (good !== undefined) return copyAppWithChanges(good.app, good.changes, into);
  if (TEMPLATES.includes(name)) {
    const create = ["bin/robot-app-assistant.mjs", "create", `from_${name}`, into, "--template", name];
    await run(process.execPath, create);
    return join(into, `from_${name}`);
  }
  const folder = name === "hello_robot" ? "fixtures/apps/hello_robot" : name;
  const copy = join(into, basename(resolve(folder)));
  await cp(folder, copy, { recursive: true });
  return copy;
}

/** The Python that runs an app's tests. */
async function pythonOf(folder: string): Promise<string> {
  if (values.python !== undefined) return resolve(values.python);
  const project = parseProjectFile(await readFile(join(folder, "pyproject.toml"), "utf8"));
  if ("error" in project || project.value.dialect !== REACHY_MINI) return resolve(PYTHON);
  publicPython ??= preparePublicPython();
  const python = await publicPython;
  const { distribution } = REACHY_MINI.sdk;
  const isSdk = (need: string) => need.toLowerCase().replaceAll("_", "-").startsWith(distribution);
  const needs = project.value.dependencies ?? [];
  await pipInstall(
    python,
    needs.filter((need) => !isSdk(need)),
  );
  return python;
}

const pipInstall = async (python: string, needs: readonly string[]) => {
  if (needs.length > 0) await run(python, ["-m", "pip", "--quiet", "--disable-pip-version-check", "install", ...needs]);
};

let publicPython: Promise<string> | undefined;

async function preparePublicPython(): Promise<string> {
  await preparePublicSdk(SDK_VERSION);
  const python = resolve(VENV, "bin/python");
  await pipInstall(python, ["pytest>=8"]);
  return python;
}

async function test(folder: string, python: string, number: number): Promise<Run> {
  const result = join(folder, `result-${number}.json`);
  const env = {
    ...process.env,
    RESULT: result,
    SECONDS: values.seconds,
    ROBOT_DAEMON: resolve("bin/robot-daemon.mjs"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const args = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_virtual_time.py"];
  // The test fails where the app does, and has written what it saw.
  const output = await run(python, args, { cwd: folder, env, reject: false });
  const text = await readFile(result, "utf8").catch(() => {
    throw new Error(output.split("\n").slice(-12).join("\n"));
  });
  return JSON.parse(text) as Run;
}

async function runAll(name: string): Promise<Row> {
  const into = await mkdtemp(join(tmpdir(), "robot-virtual-time-"));
  try {
    const folder = await prepare(name, into);
    await mkdir(join(folder, "tests"), { recursive: true });
    await writeFile(join(folder, "tests/test_virtual_time.py"), TEST);
    const python = await pythonOf(folder);
    const runs: Run[] = [];
    for (let number = 0; number < Number(values.runs); number += 1) runs.push(await test(folder, python, number));
    // Neither this checkout's folder nor that of the copy is of interest to a reader of the table.
    const withoutFolders = (text: string | null | undefined) =>
      text?.replaceAll(into, "").replaceAll(`${resolve(".")}/`, "") ?? null;
    return {
      name: titleOf(name),
      runs: runs.length,
      virtual: median(runs.map(({ virtual }) => virtual)),
      real: median(runs.map(({ real }) => real)),
      same: new Set(runs.map(({ digest }) => digest)).size === 1,
      changed: runs.filter(({ because }) => because !== null).length,
      because: withoutFolders(runs.find(({ because }) => because !== null)?.because),
      problem: withoutFolders(runs.find(({ problem }) => problem !== null)?.problem),
    };
  } finally {
    await rm(into, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** An app of a checked-out repository, in a folder OWNER+NAME, is called by it, too. */
function titleOf(name: string): string {
  const repository = /([\w.-]+)\+([\w.-]+)/.exec(name);
  if (repository === null) return name;
  return `\`${basename(resolve(name)).replace(/.*\+/, "")}\` of ${repository[1]}/${repository[2]}`;
}

function formatRow({ name, runs, virtual, real, same, changed, because, problem }: Row): string {
  const why = [because && `${changed} of ${runs} runs: ${because}`, problem && `ended with an error: ${problem}`];
  const notes = why.filter(Boolean).join("; ").replaceAll(/\s+/g, " ").slice(0, 200);
  return `| ${name} | ${virtual.toFixed(1)} | ${real.toFixed(1)} | ${same ? "yes" : "no"} | ${notes} |`;
}

const HEAD = "| app | robot's seconds | real seconds | same motion | in real time because |\n|---|---|---|---|---|";

async function report(name: string): Promise<void> {
  try {
    const row = await runAll(name);
    console.log(formatRow(row));
    if (values.keep) appendRow(FILE, row);
  } catch (error) {
    console.log(`| ${name} | | | | ${(error as Error).message.trim().replaceAll(/\s*\n\s*/g, " · ")} |`);
    process.exitCode = 1;
  }
}

async function measure(): Promise<void> {
  await buildPrograms();
  const all = [...TEMPLATES, "hello_robot", ...Object.keys(GOOD_APPS)];
  const waiting = positionals.length > 0 ? positionals : [...new Set(all)];
  const loops: ChildProcess[] = [];
  for (let number = 0; number < Number(values.busy); number += 1)
    loops.push(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  console.log(HEAD);
  try {
    await Promise.all(
      Array.from({ length: availableParallelism() }, async () => {
        for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await report(name);
      }),
    );
  } finally {
    for (const loop of loops) loop.kill();
  }
}

function writeDocs(): void {
  const rows = readRows<Row>(FILE, ({ name }) => name);
  const table = [HEAD, ...rows.map(formatRow)].join("\n");
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(PAGE, replaceTable(page, "apps in virtual time", table, "npm run lab -- virtual-time --docs"));
}

await (values.docs ? writeDocs() : measure());
