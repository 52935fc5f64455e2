import assert from "node:assert/strict";
import { Then, When } from "@cucumber/cucumber";
import { ProcessTable } from "../../../common/machine/process-table.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { deadlineMs } from "../support/deadline.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

/** Ids of the processes that the daemon started. */
const childrenOf = ({ daemonPid }: ScenarioWorld): number[] =>
  ProcessTable.readSync()
    .childrenOf(daemonPid)
    .map((entry) => entry.pid);

let before: number[] = [];

When("the daemon is asked over HTTP to {word}", async function (this: ScenarioWorld, what: string) {
  before = childrenOf(this);
  const { status } = await this.request("POST", `/api/daemon/${what}`);
  assert.equal(status, 200);
});

Then(
  "within {int} seconds the same daemon has a new robot process",
  async function (this: ScenarioWorld, seconds: number) {
    await waitFor(deadlineMs(seconds), "a robot process that was not there before", async () => {
      const now = childrenOf(this);
      const { state } = await this.get<{ state: string }>("/api/daemon/status");
      return state === "running" && now.length > 0 && now.every((pid) => !before.includes(pid));
    });
  },
);
