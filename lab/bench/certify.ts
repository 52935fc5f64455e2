// Measures whole certifications: how long they take, and which test runs take longest.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure, section } from "./figures.ts";

const ASSISTANT_SCRIPT = "bin/robot-app-assistant.mjs";
const SEED = "1";
/** Test runs that are named. */
const SHOWN = 3;

/** An app that ignores every stop, as a person would write one by mistake. */
const IGNORES_STOPS = `    def wrapped_run(self) -> None:
        import signal

        with Robot() as robot:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            self.run(robot, threading.Event())

    def run`;

function copyFixture(into: string, app: string) {
  const folder = join(into, app);
  cpSync(join("fixtures/apps", app), folder, { recursive: true });
  return folder;
}

function appThatIgnoresStops(into: string) {
  const folder = copyFixture(into, "steady_app");
  const main = join(folder, "steady_app/main.py");
  writeFileSync(main, readFileSync(main, "utf8").replace("    def run", IGNORES_STOPS));
  return folder;
}

function createdApp(into: string, name: string, ...options: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [ASSISTANT_SCRIPT, "create", name, into, ...options]);
  if (status !== 0) throw new Error(`create ${name} exited with code ${status}: ${stderr}`);
  return join(into, name);
}

const APPS: { name: string; folder: (into: string) => string; target?: number; code: number }[] = [
  { name: "hello_robot", folder: (into) => copyFixture(into, "hello_robot"), target: 45, code: 0 },
  {
    name: "default template, which has no page",
    folder: (into) => createdApp(into, "from_default"),
    target: 35,
    code: 0,
  },
  {
    name: "conversation template",
    folder: (into) => createdApp(into, "from_conversation", "--template", "conversation"),
    code: 0,
  },
  { name: "an app that ignores every stop", folder: appThatIgnoresStops, target: 120, code: 1 },
];

function certify(data: string, into: string, folder: string, ...more: string[]) {
  const began = performance.now();
  const out = join(into, "verdict");
  const args = [ASSISTANT_SCRIPT, "certify", folder, "--seed", SEED, "--out", out, ...more];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, XDG_DATA_HOME: data },
    encoding: "utf8",
  });
  const seconds = (performance.now() - began) / 1000;
  return { seconds, status, stderr, verdict: JSON.parse(readFileSync(join(out, "verdict.json"), "utf8")) };
}

/** Certifies some apps, each once. */
export async function benchCertify() {
  section("Certification, from start to exit of the program");
  const data = mkdtempSync(join(tmpdir(), "robot-bench-"));
  try {
    // Makes the clean environment, which is not measured.
    const first = join(data, "first");
    certify(data, first, copyFixture(first, "steady_app"), "--tier", "short");
    for (const app of APPS) benchApp(app, data);
  } finally {
    rmSync(data, { recursive: true, force: true, maxRetries: 3 });
  }
}

function benchApp({ name, folder, target, code }: (typeof APPS)[number], data: string) {
  const into = mkdtempSync(join(data, "app-"));
  const { seconds, status, verdict } = certify(data, into, folder(into));
  const isMet = target === undefined ? undefined : seconds <= target && status === code;
  const text = `${seconds.toFixed(0)} s, ${verdict.verdict}`;
  figure(name, text, target === undefined ? undefined : `<= ${target} s`, isMet);
  const longest = [...verdict.testRuns].sort((one, other) => other.duration - one.duration).slice(0, SHOWN);
  console.log(`    longest: ${longest.map(({ id, duration }) => `${id} ${duration.toFixed(0)} s`).join(", ")}`);
  for (const { id, status: outcome, findings, reason } of verdict.results)
    if (code === 0 && !["pass", "not-applicable"].includes(outcome))
      console.log(`    ${id} ${outcome}: ${findings[0]?.message ?? reason}`);
}
