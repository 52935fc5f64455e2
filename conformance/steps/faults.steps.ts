import assert from "node:assert/strict";
import { Before, Given, Then, When } from "@cucumber/cucumber";
import { type Outlet, type RobotSim, spawnRobotSim } from "../runner/robot-sim.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./scene.ts";

Before({ tags: "@wire" }, function (this: Scene) {
  this.outlet ??= "pty";
});

interface Status {
  state: string;
  error: string | null;
  backend_status: { control_loop_stats: { nb_error: number } };
}

const robotSim = ({ robotSim: sim }: Scene): RobotSim => sim ?? assert.fail("the scenario has no robot-sim");
const status = (scene: Scene): Promise<Status> => scene.get("/api/daemon/status");

Given("a robot-sim with the fault {string}", async function (this: Scene, fault: string) {
  this.robotSim = await spawnRobotSim(this.outlet ?? "pty", ["--fault", fault]);
});

Given("the robot is a robot-sim over {word}", function (this: Scene, outlet: Outlet) {
  this.outlet = outlet;
});

Given("a daemon that waits for the robot", async function (this: Scene) {
  await this.startDaemon();
});

When("the fault {string} begins", async function (this: Scene, fault: string) {
  await robotSim(this).beginFault(fault);
});

When("the faults end", async function (this: Scene) {
  await robotSim(this).endFaults();
});

When("the motor mode is set to {string} again", async function (this: Scene, mode: string) {
  await within(10_000, `the motor mode is set to ${mode}`, async () => {
    const answer = await this.request("POST", `/api/motors/set_mode/${mode}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return true;
  });
});

Then("the status is {string} and tells {string}", async function (this: Scene, state: string, words: string) {
  await within(8000, `the status tells "${words}"`, async () => {
    const now = await status(this);
    assert.equal(now.state, state, now.error ?? "");
    assert.match(now.error ?? "", new RegExp(words));
    return true;
  });
});

Then("the status counts bus errors", async function (this: Scene) {
  await within(5000, "bus errors are counted", async () => {
    return (await status(this)).backend_status.control_loop_stats.nb_error > 0;
  });
});

Then("no robot event is a fault", function (this: Scene) {
  const faults = this.happenings.events.filter(({ kind, level }) => kind === "fault" || level === "error");
  assert.deepEqual(
    faults.map(({ message }) => message),
    [],
  );
});

interface FullState {
  head_joints: number[];
  target: { head_joints: number[] } | null;
}

Then("a joint stays at least {float} radians beside where it was sent", async function (this: Scene, radians: number) {
  const end = performance.now() + 1000;
  while (performance.now() < end) {
    const { head_joints, target } = await this.get<FullState>("/api/state/full");
    const off = head_joints.map((angle, joint) => Math.abs(angle - (target?.head_joints[joint] ?? angle)));
    assert.ok(Math.max(...off) > radians, `all are within ${Math.max(...off).toFixed(4)} rad`);
  }
});
