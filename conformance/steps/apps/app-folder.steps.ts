import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packWheel } from "../../../daemon/apps/testing/distribution.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

Given(
  "the package index has {string} in the versions {string} and {string}",
  async function (name: string, old: string, recent: string) {
    const wheels = join(this.dataDir, "wheels");
    mkdirSync(wheels, { recursive: true });
    for (const version of [old, recent]) await packWheel(wheels, { name, version });
    this.env = { PIP_FIND_LINKS: wheels, UV_FIND_LINKS: wheels };
  },
);

/** `sleepy_app` under another name and with one requirement more. */
When("an app {string} that needs {string} is installed", async function (app: string, requirement: string) {
  const folder = join(this.dataDir, "sources", app);
  cpSync(resolve("fixtures/apps/sleepy_app/sleepy_app"), join(folder, app), { recursive: true });
  const project = readFileSync(resolve("fixtures/apps/sleepy_app/pyproject.toml"), "utf8");
  const renamed = project.replaceAll("sleepy_app", app).replace('["robot-sdk"]', `["robot-sdk", "${requirement}"]`);
  writeFileSync(join(folder, "pyproject.toml"), renamed);
  this.answers = [await this.request("POST", "/api/apps/install", { path: folder })];
});

const dataOf = (world: ScenarioWorld, app: string): string => join(world.dataDir, "work", app, "state.json");

Given("{string} and {string} have written data", function (one: string, other: string) {
  for (const file of [one, other].map((app) => dataOf(this, app))) {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, "{}");
  }
});

Then("{string} has no data", function (app: string) {
  assert.ok(!existsSync(dataOf(this, app)));
});

Then("{string} has data", function (app: string) {
  assert.ok(existsSync(dataOf(this, app)));
});
