import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { Given, Then, When } from "@cucumber/cucumber";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { spawnRobotSim } from "../../../sim/process/spawn-robot-sim.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

const port = (world: ScenarioWorld): string => join(world.dataDir, "robot-port");

Given("a daemon on a serial port that is not there", async function (this: ScenarioWorld) {
  await this.startDaemon({ serialport: port(this) });
});

Then("the daemon printed one line that matches {string}", async function (this: ScenarioWorld, pattern: string) {
  const matching = () =>
    this.daemon
      .output()
      .split("\n")
      .filter((line) => new RegExp(pattern).test(line));
  await waitFor(DEADLINE_MS, `a line matches ${pattern}`, () => matching().length > 0);
  assert.equal(matching().length, 1, matching().join("\n"));
});

Then("the dashboard is served", async function (this: ScenarioWorld) {
  const page = await fetch(`${this.daemon.url}/`, { signal: AbortSignal.timeout(DEADLINE_MS) });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<div id="dashboard">/);
});

When("a robot-sim takes the place of that port", async function (this: ScenarioWorld) {
  this.robotSim = await spawnRobotSim("pty");
  symlinkSync(this.robotSim.address, port(this));
});
