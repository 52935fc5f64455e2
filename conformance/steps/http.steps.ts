import assert from "node:assert/strict";
import { Then, When } from "@cucumber/cucumber";
import { childrenOf } from "../runner/process-group.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./world.ts";

let before: number[] = [];

When("somebody asks the daemon to {word}", async function (this: Scene, what: string) {
  before = childrenOf(this.daemon.pid ?? 0);
  const { status } = await this.request("POST", `/api/daemon/${what}`);
  assert.equal(status, 200);
});

Then(
  "within {int} seconds the same daemon has a robot process of its own again",
  async function (this: Scene, seconds: number) {
    await within(seconds * 1000, "a robot process that was not there before", async () => {
      const now = childrenOf(this.daemon.pid ?? 0);
      const { state } = await this.get<{ state: string }>("/api/daemon/status");
      return state === "running" && now.length > 0 && now.every((pid) => !before.includes(pid));
    });
  },
);
