import assert from "node:assert/strict";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { After } from "@cucumber/cucumber";
import { ProcessTable } from "../../../common/machine/process-table.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { Given, Then } from "../support/define-steps.ts";

Given("the log of {string} is on a full disk", function (app: string) {
  const logs = join(this.dataDir, "logs");
  mkdirSync(logs, { recursive: true });
  symlinkSync("/dev/full", join(logs, `${app}.log`));
});

Given("the Python of the apps' environment is missing", function () {
  // The scenarios share one environment through a link; this one gets the same packages without a Python.
  const venv = join(this.dataDir, "apps_venv");
  assert.ok(lstatSync(venv).isSymbolicLink());
  const packages = join(this.testVenv, "lib");
  rmSync(venv);
  mkdirSync(venv);
  for (const name of readdirSync(this.testVenv))
    if (name !== "bin" && name !== "lib") symlinkSync(join(this.testVenv, name), join(venv, name));
  symlinkSync(packages, join(venv, "lib"));
});

let portHolder: Server | undefined;

Given("another program listens on port {int}", async (port: number) => {
  portHolder = createServer().listen(port, "127.0.0.1");
  await once(portHolder, "listening");
});

After(() => {
  portHolder?.close();
  portHolder = undefined;
});

Then("all processes that {string} printed have ended", async function (app: string) {
  const lines = await this.logLines(app);
  const pids = lines.flatMap((text) => /^children (.+)$/.exec(text)?.[1]?.split(" ").map(Number) ?? []);
  assert.ok(pids.length > 0, "the app printed the ids of its children");
  await waitFor(DEADLINE_MS, `the processes ${pids.join(", ")} are gone`, () => {
    const table = ProcessTable.readSync();
    return pids.every((pid) => table.get(pid) === undefined);
  });
});
