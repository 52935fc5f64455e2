import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { After, Given, Then, When } from "@cucumber/cucumber";
import type { Job } from "../../robot/wire/jobs.ts";
import { NO_HUB, NO_INDEX } from "../runner/daemon-under-test.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./scene.ts";

/** Another run of the program beside the daemon of the scenario. */
let program: { child: ChildProcess; output: string } | undefined;

function run(args: readonly string[]): void {
  const env = { ...process.env, ...NO_INDEX };
  const child = spawn(process.execPath, ["bin/robot-daemon.mjs", ...args], { stdio: ["ignore", "pipe", "pipe"], env });
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

const onLoopback = (dataDir: string): string[] => ["--sim", "--port", "0", "--hub-url", NO_HUB, "--data-dir", dataDir];

Given("the daemon has a Python environment of its own", function (this: Scene) {
  this.ownVenv = true;
});

Given("robot-daemon is started on an empty data folder", function (this: Scene) {
  run(onLoopback(this.dataDir));
});

When("robot-daemon is started on the same data folder", function (this: Scene) {
  run(onLoopback(this.dataDir));
});

When("{string} is installed on the command line", function (this: Scene, app: string) {
  run(["install", join("fixtures/apps", app), "--data-dir", this.dataDir]);
});

When("it makes the Python environment and gets {word}", async function (this: Scene, signal: NodeJS.Signals) {
  const { child } = running();
  await within(30_000, "the environment is being made", () => existsSync(join(this.dataDir, "apps_venv/pyvenv.cfg")));
  child.kill(signal);
});

Then("within {int} seconds it has ended with code {int}", async function (this: Scene, seconds: number, code: number) {
  const { child } = running();
  await within(seconds * 1000, "the program has ended", () => child.exitCode !== null || child.signalCode !== null);
  assert.equal(child.exitCode, code, running().output);
});

Then("it told {string}", (words: string) => {
  assert.match(running().output, new RegExp(words));
});

Then("the daemon did the job {string}", async function (this: Scene, command: string) {
  const [job] = await this.get<Job[]>("/api/apps/jobs");
  assert.match(job?.command ?? "", new RegExp(command));
  assert.equal(job?.status, "done");
});

Then("the data folder is empty", function (this: Scene) {
  assert.deepEqual(readdirSync(this.dataDir), []);
});
