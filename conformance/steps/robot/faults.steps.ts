import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Before } from "@cucumber/cucumber";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { type RobotSim, type RobotSimTransport, spawnRobotSim } from "../../../sim/process/spawn-robot-sim.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import type { FullState } from "../support/joints.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

Before({ tags: "@wire" }, function (this: ScenarioWorld) {
  this.robotSimTransport ??= "pty";
});

interface Status {
  state: string;
  error: string | null;
  backend_status: { control_loop_stats: { nb_error: number } };
}

const robotSim = ({ robotSim: sim }: ScenarioWorld): RobotSim => sim ?? assert.fail("the scenario has no robot-sim");
const status = (world: ScenarioWorld): Promise<Status> => world.get("/api/daemon/status");

const linesOf = ({ daemon }: ScenarioWorld): string[] => daemon.output().split("\n");

Given("a robot-sim with the fault {string}", async function (fault: string) {
  this.robotSim = await spawnRobotSim(this.robotSimTransport ?? "pty", ["--fault", fault]);
});

Given("a robot-sim with a supply of {float} V", async function (volts: number) {
  this.robotSim = await spawnRobotSim(this.robotSimTransport ?? "pty", ["--supply", String(volts)]);
});

Given("the robot is a robot-sim over {word}", function (transport: RobotSimTransport) {
  this.robotSimTransport = transport;
});

Given("a daemon that waits for the robot", async function () {
  await this.startDaemon();
});

When("the fault {string} is injected", async function (fault: string) {
  await robotSim(this).injectFault(fault);
});

When("the faults are cleared", async function () {
  await robotSim(this).clearFaults();
});

When("the motor mode is set to {string} again", async function (mode: string) {
  await waitFor(DEADLINE_MS, `the motor mode is set to ${mode}`, async () => {
    const answer = await this.request("POST", `/api/motors/set_mode/${mode}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return true;
  });
});

Then("the status is {string} with an error that matches {string}", async function (state: string, pattern: string) {
  await waitFor(DEADLINE_MS, `the error matches ${pattern}`, async () => {
    const now = await status(this);
    assert.equal(now.state, state, now.error ?? "");
    assert.match(now.error ?? "", new RegExp(pattern));
    return true;
  });
});

Then("the status counts bus errors", async function () {
  await waitFor(DEADLINE_MS, "bus errors are counted", async () => {
    return (await status(this)).backend_status.control_loop_stats.nb_error > 0;
  });
});

Then("the daemon reports {string}, and for {int} seconds not again", async function (words: string, seconds: number) {
  const reports = () => linesOf(this).filter((line) => line.toLowerCase().includes(words));
  await waitFor(DEADLINE_MS, `a report of ${words}`, () => reports().length > 0);
  await sleep(1000 * seconds);
  assert.equal(reports().length, 1, reports().join("\n"));
});

/** What the robot itself shows, whatever its daemon says: `fault` while a servo has an error, `off` without torque. */
async function glow(world: ScenarioWorld): Promise<unknown> {
  const end = new AbortController();
  const { body } = await fetch(new URL("events", robotSim(world).page), { signal: end.signal });
  for await (const chunk of (body ?? assert.fail("no events")).pipeThrough(new TextDecoderStream())) {
    const found = /"glow":"(\w+)"/.exec(chunk)?.[1];
    if (found === undefined) continue;
    end.abort();
    return found;
  }
  return assert.fail("the robot sends no frames");
}

Then("eventually the robot has its torque and no fault", async function () {
  await waitFor(DEADLINE_MS, "the robot has its torque and no fault", async () => {
    assert.equal(await glow(this), "on");
    return true;
  });
});

/** An event's message and data in one line. */
const eventText = ({ message, data }: { message: string; data: unknown }): string =>
  `${message} ${JSON.stringify(data)}`;

Then("a robot event {string} matches {string}", async function (kind: string, pattern: string) {
  await waitFor(DEADLINE_MS, `an event ${kind} matches ${pattern}`, () => {
    const events = this.eventStream.events.filter((event) => event.kind === kind).map(eventText);
    if (events.some((one) => new RegExp(pattern).test(one))) return true;
    throw new Error(events.length === 0 ? "there was none" : events.join("; "));
  });
});

Then("no robot event is a warning", function () {
  const warnings = this.eventStream.events.filter(({ level }) => level !== "info");
  assert.deepEqual(warnings.map(eventText), []);
});

Then("no robot event is a fault", function () {
  const faults = this.eventStream.events.filter(({ kind, level }) => kind === "fault" || level === "error");
  assert.deepEqual(
    faults.map(({ message }) => message),
    [],
  );
});

Then("a joint stays at least {float} radians off its target", async function (radians: number) {
  const end = performance.now() + 1000;
  while (performance.now() < end) {
    const { head_joints, target } = await this.get<FullState>("/api/state/full");
    const off = head_joints.map((angle, joint) => Math.abs(angle - (target?.head_joints[joint] ?? angle)));
    assert.ok(Math.max(...off) > radians, `all are within ${Math.max(...off).toFixed(4)} rad`);
  }
});

/** Where the robot is plugged in later. */
const port = (world: ScenarioWorld): string => join(world.dataDir, "robot-port");

Given("a daemon on a serial port that is not there", async function () {
  await this.startDaemon({ serialport: port(this) });
});

Then("the daemon printed one line that matches {string}", async function (pattern: string) {
  const matching = () => linesOf(this).filter((line) => new RegExp(pattern).test(line));
  await waitFor(DEADLINE_MS, `a line matches ${pattern}`, () => matching().length > 0);
  assert.equal(matching().length, 1, matching().join("\n"));
});

Then("the dashboard is served", async function () {
  const page = await fetch(`${this.daemon.url}/`, { signal: AbortSignal.timeout(DEADLINE_MS) });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<div id="dashboard">/);
});

When("a robot-sim takes the place of that port", async function () {
  this.robotSim = await spawnRobotSim("pty");
  symlinkSync(this.robotSim.address, port(this));
});
