import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { After } from "@cucumber/cucumber";
import { copyTree } from "../../../common/machine/copy-tree.ts";
import { NO_PACKAGE_INDEX, UNREACHABLE_HUB } from "../../../common/machine/offline.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { Job } from "../../../robot/wire/apps/jobs.ts";
import { Given, Then, When } from "../support/define-steps.ts";

/** A second robot-daemon program, besides the daemon of the scenario. */
let program: { child: ChildProcess; output: string } | undefined;

/** @param before a command that runs the program */
function run(args: readonly string[], before: readonly string[] = []): void {
  const env = { ...process.env, ...NO_PACKAGE_INDEX };
  const [file = "", ...rest] = [...before, process.execPath, "bin/robot-daemon.mjs", ...args];
  const child = spawn(file, rest, { stdio: ["ignore", "pipe", "pipe"], env });
  const started = { child, output: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      started.output += chunk;
    });
  }
  program = started;
}

function running(): { child: ChildProcess; output: string } {
  return program ?? assert.fail("the scenario has started no program");
}

After(async () => {
  const { child } = program ?? {};
  program = undefined;
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
});

const daemonArguments = (dataDir: string): string[] => [
  "--sim",
  "--port",
  "0",
  "--hub-url",
  UNREACHABLE_HUB,
  "--data-dir",
  dataDir,
];

Given("the daemon has a Python environment of its own", function () {
  this.ownVenv = true;
});

Given("robot-daemon is started on an empty data folder", function () {
  run(daemonArguments(this.dataDir));
});

When("robot-daemon is started on the same data folder", function () {
  run(daemonArguments(this.dataDir));
});

When("robot-daemon runs {string} on the same data folder", function (command: string) {
  run([...command.split(" "), "--data-dir", this.dataDir]);
});

When("{string} is installed on the command line", function (app: string) {
  run(["install", join("fixtures/apps", app), "--data-dir", this.dataDir]);
});

/** Root may write everything, unless it gives that up. */
const AS_OTHER_USER =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"] : [];

function setMode(root: string, mode: number): void {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  for (const folder of ["", ...names].map((name) => join(root, name)))
    if (lstatSync(folder).isDirectory()) chmodSync(folder, mode);
}

Given("an apps' environment that its user may not change", function () {
  const venv = join(this.dataDir, "apps_venv");
  copyTree(this.testVenv, venv);
  setMode(venv, 0o555);
  this.restorePermissions = () => setMode(venv, 0o755);
});

When("{string} is installed on the command line by that user", function (app: string) {
  run(["install", join("fixtures/apps", app), "--data-dir", this.dataDir], AS_OTHER_USER);
});

When("it makes the Python environment and receives {word}", async function (signal: NodeJS.Signals) {
  const { child } = running();
  await waitFor(DEADLINE_MS, "the environment is being made", () =>
    existsSync(join(this.dataDir, "apps_venv/pyvenv.cfg")),
  );
  child.kill(signal);
});

When("it receives {word} after its output matches {string}", async (signal: NodeJS.Signals, pattern: string) => {
  const { child } = running();
  await waitFor(DEADLINE_MS, pattern, () => new RegExp(pattern).test(running().output));
  child.kill(signal);
});

Then("eventually it has exited with code {int}", async (code: number) => {
  const { child } = running();
  await waitFor(DEADLINE_MS, "the program has ended", () => child.exitCode !== null || child.signalCode !== null);
  assert.equal(child.exitCode, code, running().output);
});

Then("its output matches {string}", (pattern: string) => {
  assert.match(running().output, new RegExp(pattern));
});

Then("the daemon ran the job {string}", async function (command: string) {
  const [job] = await this.get<Job[]>("/api/apps/jobs");
  assert.match(job?.command ?? "", new RegExp(command));
  assert.equal(job?.status, "done");
});

Then("the data folder is empty", function () {
  assert.deepEqual(readdirSync(this.dataDir), []);
});
