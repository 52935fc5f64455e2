// npm run lab -- virtual-time [--runs 10] [--seconds 10] [--python PYTHON] [NAME or FOLDER...]: runs apps as their authors' tests
// do (the fixture `robot_app` of robot-sdk), each several times, and prints how long that takes, whether every run moved the
// robot in the same way to the last bit, and why a run went on in real time. Names are those of the templates, of hello_robot
// and of fixtures/good-apps (default: all of them); a folder holds another app, whose requirements PYTHON must have.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { copyAppWithChanges, GOOD_APPS } from "../conformance/testing/mutants.ts";
import { buildPrograms } from "../scripts/setup/prepare.mjs";
import { median } from "./bench/figures.ts";

const TEMPLATES = ["default", "settings", "page", "conversation"];
/** Milliseconds that a run may take. */
const DEADLINE_MS = 180_000;

/** An author's test that writes what a run showed to the file named by RESULT. */
const TEST = `import hashlib, json, os, time
def test_virtual_time(robot_app):
    began = time.monotonic()
    robot_app.advance(float(os.environ["SECONDS"]))
    problem = None
    try:
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "10" },
    seconds: { type: "string", default: "10" },
    python: { type: "string", default: ".venv/bin/python" },
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

async function test(folder: string, number: number): Promise<Run> {
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
  const output = await run(resolve(values.python), args, { cwd: folder, env, reject: false });
  const text = await readFile(result, "utf8").catch(() => {
    throw new Error(output.split("\n").slice(-12).join("\n"));
  });
  return JSON.parse(text) as Run;
}

async function report(name: string): Promise<void> {
  const into = await mkdtemp(join(tmpdir(), "robot-virtual-time-"));
  try {
    const folder = await prepare(name, into);
    await mkdir(join(folder, "tests"), { recursive: true });
    await writeFile(join(folder, "tests/test_virtual_time.py"), TEST);
    const runs: Run[] = [];
    for (let number = 0; number < Number(values.runs); number += 1) runs.push(await test(folder, number));
    const same = new Set(runs.map(({ digest }) => digest)).size === 1;
    const because = runs.find((each) => each.because !== null)?.because;
    const problem = runs.find((each) => each.problem !== null)?.problem;
    const cells = [
      name,
      median(runs.map(({ virtual }) => virtual)).toFixed(1),
      median(runs.map(({ real }) => real)).toFixed(1),
      same ? "yes" : "no",
      [because, problem]
        .filter((text) => text != null)
        .join("; ")
        .replaceAll(/\s+/g, " ")
        .slice(-200),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  } catch (error) {
    console.log(`| ${name} | | | | ${(error as Error).message.trim().replaceAll(/\s*\n\s*/g, " · ")} |`);
    process.exitCode = 1;
  } finally {
    await rm(into, { recursive: true, force: true, maxRetries: 3 });
  }
}

await buildPrograms();
const all = [...TEMPLATES, "hello_robot", ...Object.keys(GOOD_APPS)];
const waiting = positionals.length > 0 ? positionals : [...new Set(all)];
console.log("| app | robot's seconds | real seconds | same motion | in real time because |\n|---|---|---|---|---|");
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await report(name);
  }),
);
