import assert from "node:assert/strict";
import { Before } from "@cucumber/cucumber";
import { type ProcessIdentity, ProcessTable } from "../../../common/machine/process-table.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import { isAtDefault } from "../support/joints.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

Before({ tags: "@spawn" }, function (this: ScenarioWorld) {
  this.spawn = true;
});

const robotState = async (world: ScenarioWorld): Promise<string> =>
  (await world.get<{ state: string }>("/api/daemon/status")).state;

let robotProcesses: ProcessIdentity[] = [];

Given("a daemon with an awake robot", async function () {
  await this.startAwakeDaemon(async () => {
    await awake(this);
    // The joints arrive a tenth of a second after the goals of the last nod. The public daemon has other poses.
    if (!this.isPublicDaemon)
      await waitFor(DEADLINE_MS, "the joints are where the wake-up has led them", () => isAtDefault(this));
  });
});

Given("a daemon that asks for a token, with an awake robot", async function () {
  await this.startDaemon({ token: "the-token-of-this-scenario" });
  await awake(this);
});

Given("a daemon with the startup app {string}", async function (startupApp: string) {
  await this.startDaemon({ startupApp });
});

Given("a daemon that leaves the robot asleep, with the startup app {string}", async function (startupApp: string) {
  await this.startDaemon({ startupApp, wakeUpOnStart: false });
  await waitFor(DEADLINE_MS, "the robot is connected", async () => (await robotState(this)) === "running");
});

Given("a daemon that was started with SIGINT ignored", async function () {
  await this.daemon.close();
  await this.startDaemon({ ignoringSigint: true });
  await awake(this);
});

When("the robot is unplugged", async function () {
  if (this.robotSim !== null) await this.robotSim.injectFault("unplug");
  else await this.daemon.unplugRobot();
});

When("the robot process is killed", async function () {
  await this.daemon.killRobotProcess();
});

Then("eventually the robot is in state {string}", async function (state: string) {
  await waitFor(DEADLINE_MS, `the robot is in state ${state}`, async () => (await robotState(this)) === state);
});

Then("the daemon answers {int} requests", async function (count: number) {
  for (let n = 0; n < count; n += 1) assert.equal((await this.request("GET", "/healthz")).status, 200);
});

When("the daemon receives {word}", function (signal: NodeJS.Signals) {
  robotProcesses = ProcessTable.readSync()
    .childrenOf(this.daemonPid)
    .filter(({ pid }) => pid !== this.app?.pid);
  this.daemon.signal(signal);
});

Then("eventually the daemon has exited with code {int}", async function (code: number) {
  const ended = await Promise.race([
    this.daemon.exited(),
    new Promise<string>((resolve) => setTimeout(resolve, DEADLINE_MS, "still running")),
  ]);
  assert.equal(ended, code);
});

Then("eventually the robot process has ended", async () => {
  assert.ok(robotProcesses.length > 0, "the daemon had a robot process");
  await waitFor(DEADLINE_MS, "the robot's process is gone", () => {
    const table = ProcessTable.readSync();
    return !robotProcesses.some((entry) => table.has(entry));
  });
});

/** Ids of the processes that the daemon started. */
const childrenOf = ({ daemonPid }: ScenarioWorld): number[] =>
  ProcessTable.readSync()
    .childrenOf(daemonPid)
    .map((entry) => entry.pid);

let childrenBefore: number[] = [];

When("the daemon is asked over HTTP to {word}", async function (what: string) {
  childrenBefore = childrenOf(this);
  const { status } = await this.request("POST", `/api/daemon/${what}`);
  assert.equal(status, 200);
});

Then("eventually the same daemon has a new robot process", async function () {
  await waitFor(DEADLINE_MS, "a robot process that was not there before", async () => {
    const now = childrenOf(this);
    return (
      (await robotState(this)) === "running" && now.length > 0 && now.every((pid) => !childrenBefore.includes(pid))
    );
  });
});

Then("nothing of the app's process group is left", function () {
  assert.deepEqual(ProcessTable.readSync().groupMembers(this.appPid), []);
});

Then("eventually nothing of the app's process group is left", async function () {
  await waitFor(
    DEADLINE_MS,
    "the app's process group is empty",
    () => ProcessTable.readSync().groupMembers(this.appPid).length === 0,
  );
});

Then("another daemon on the same data folder starts {string}", async function (app: string) {
  await this.startDaemon();
  await awake(this);
  assert.equal((await this.request("POST", `/api/apps/start-app/${app}`)).status, 200);
});

Then("the robot is awake", async function () {
  await awake(this);
});

/** Awake means: motors enabled and no move under way. */
async function awake(world: ScenarioWorld): Promise<void> {
  await waitFor(DEADLINE_MS, "the robot is awake", async () => {
    const { mode } = await world.get<{ mode: string }>("/api/motors/status");
    const moves = await world.get<unknown[]>("/api/move/running");
    return mode === "enabled" && moves.length === 0;
  });
}
