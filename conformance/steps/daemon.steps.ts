import assert from "node:assert/strict";
import { Before, Given, Then, When } from "@cucumber/cucumber";
import { childrenOf, groupMembers, isAlive } from "../runner/process-group.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./world.ts";

Before({ tags: "@spawn" }, function (this: Scene) {
  this.spawn = true;
});

let robotProcesses: number[] = [];

Given("a daemon with an awake robot", async function (this: Scene) {
  await this.startDaemon();
  await awake(this);
  this.happenings.forget();
});

Given("a daemon that asks for a token, with an awake robot", async function (this: Scene) {
  await this.startDaemon({ token: "the-token-of-this-scenario" });
  await awake(this);
});

Given("a daemon with the startup app {string}", async function (this: Scene, startupApp: string) {
  await this.startDaemon({ startupApp });
});

Given(
  "a daemon that leaves the robot asleep, with the startup app {string}",
  async function (this: Scene, startupApp: string) {
    await this.startDaemon({ startupApp, wakeUpOnStart: false });
    await within(10_000, "the robot is connected", async () => {
      const { state } = await this.get<{ state: string }>("/api/daemon/status");
      return state === "running";
    });
  },
);

Given("a daemon that was started with SIGINT ignored", async function (this: Scene) {
  await this.daemon.close();
  await this.startDaemon({ ignoringSigint: true });
  await awake(this);
});

When("the robot is unplugged", async function (this: Scene) {
  if (this.robotSim !== null) await this.robotSim.beginFault("unplug");
  else await this.daemon.unplugRobot();
});

When("the robot's process is killed", async function (this: Scene) {
  await this.daemon.killRobotProcess();
});

Then(
  "within {int} seconds the robot is in state {string}",
  async function (this: Scene, seconds: number, state: string) {
    await within(seconds * 1000, `the robot is in state ${state}`, async () => {
      const status = await this.get<{ state: string }>("/api/daemon/status");
      return status.state === state;
    });
  },
);

Then(
  "the daemon answers {int} requests within {int} seconds",
  async function (this: Scene, count: number, seconds: number) {
    await within(seconds * 1000, `${count} answers`, async () => {
      for (let n = 0; n < count; n += 1) assert.equal((await this.request("GET", "/healthz")).status, 200);
      return true;
    });
  },
);

When("the daemon gets {word}", function (this: Scene, signal: NodeJS.Signals) {
  robotProcesses = childrenOf(this.daemon.pid ?? 0).filter((pid) => pid !== this.appPid);
  this.daemon.signal(signal);
});

Then(
  "within {int} seconds the daemon has ended with code {int}",
  async function (this: Scene, seconds: number, code: number) {
    const ended = await Promise.race([
      this.daemon.ended(),
      new Promise<string>((resolve) => setTimeout(resolve, seconds * 1000, "still running")),
    ]);
    assert.equal(ended, code);
  },
);

Then("within {int} seconds the robot's own process is gone", async function (this: Scene, seconds: number) {
  assert.ok(robotProcesses.length > 0, "the daemon had a robot process");
  await within(seconds * 1000, "the robot's process is gone", () => !robotProcesses.some(isAlive));
});

Then("nothing of the app's process group is left", function (this: Scene) {
  assert.deepEqual(groupMembers(this.appPid), []);
});

Then("within {int} seconds nothing of the app's process group is left", async function (this: Scene, seconds: number) {
  await within(seconds * 1000, "the app's process group is empty", () => groupMembers(this.appPid).length === 0);
});

Then("another daemon on the same data folder starts {string}", async function (this: Scene, app: string) {
  await this.startDaemon();
  await awake(this);
  assert.equal((await this.request("POST", `/api/apps/start-app/${app}`)).status, 200);
});

Then("the robot is awake", async function (this: Scene) {
  await awake(this);
});

/** Awake means: motors enabled and no move under way. */
async function awake(scene: Scene): Promise<void> {
  await within(15_000, "the robot is awake", async () => {
    const { mode } = await scene.get<{ mode: string }>("/api/motors/status");
    const moves = await scene.get<unknown[]>("/api/move/running");
    return mode === "enabled" && moves.length === 0;
  });
}
