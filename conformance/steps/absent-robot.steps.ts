import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { Given, Then, When } from "@cucumber/cucumber";
import { spawnRobotSim } from "../runner/robot-sim.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./scene.ts";

const port = (scene: Scene): string => join(scene.dataDir, "robot-port");

Given("a daemon on a serial port that is not there", async function (this: Scene) {
  await this.startDaemon({ serialport: port(this) });
});

Then("the daemon printed one line that tells {string}", async function (this: Scene, words: string) {
  const told = () =>
    this.daemon
      .output()
      .split("\n")
      .filter((line) => new RegExp(words).test(line));
  await within(5000, `a line tells "${words}"`, () => told().length > 0);
  assert.equal(told().length, 1, told().join("\n"));
});

Then("the dashboard is served", async function (this: Scene) {
  const page = await fetch(`${this.daemon.url}/`, { signal: AbortSignal.timeout(5000) });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<div id="dashboard">/);
});

When("a robot-sim takes the place of that port", async function (this: Scene) {
  this.robotSim = await spawnRobotSim("pty");
  symlinkSync(this.robotSim.address, port(this));
});
