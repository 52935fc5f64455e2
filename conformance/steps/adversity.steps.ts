import assert from "node:assert/strict";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { After, Given, Then } from "@cucumber/cucumber";
import { isAlive } from "../runner/process-group.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./scene.ts";

Given("the log of {string} is on a full disk", function (this: Scene, app: string) {
  const logs = join(this.dataDir, "logs");
  mkdirSync(logs, { recursive: true });
  symlinkSync("/dev/full", join(logs, `${app}.log`));
});

Given("the Python of the apps' environment has gone", function (this: Scene) {
  // The scenes share one environment through a link; this one gets the same packages without a Python.
  const venv = join(this.dataDir, "apps_venv");
  assert.ok(lstatSync(venv).isSymbolicLink());
  const packages = join(this.testVenv, "lib");
  rmSync(venv);
  mkdirSync(venv);
  for (const name of readdirSync(this.testVenv))
    if (name !== "bin" && name !== "lib") symlinkSync(join(this.testVenv, name), join(venv, name));
  symlinkSync(packages, join(venv, "lib"));
});

let occupant: Server | undefined;

Given("another program listens on port {int}", async (port: number) => {
  occupant = createServer().listen(port, "127.0.0.1");
  await once(occupant, "listening");
});

After(() => {
  occupant?.close();
  occupant = undefined;
});

Then("no process that {string} named is left", async function (this: Scene, app: string) {
  const { lines } = await this.get<{ lines: { text: string }[] }>(`/api/apps/logs/${app}`);
  const pids = lines.flatMap(({ text }) => /^children (.+)$/.exec(text)?.[1]?.split(" ").map(Number) ?? []);
  assert.ok(pids.length > 0, "the app named its children");
  await within(3000, `the processes ${pids.join(", ")} are gone`, () => !pids.some(isAlive));
});
