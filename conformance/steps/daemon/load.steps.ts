import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { ProcessTable } from "../../../common/machine/process-table.ts";
import { authorization } from "../../runner/daemon/daemon-handle.ts";
import { Then, When } from "../support/define-steps.ts";

/** Processor seconds and resident megabytes of a process and its living descendants. */
function usageOf(pid: number): { seconds: number; megabytes: number } {
  const entries = ProcessTable.readSync().treeOf(pid);
  assert.ok(entries.length > 0, `the process ${pid} is there`);
  const sum = (key: "cpuSeconds" | "memoryBytes") => entries.reduce((all, entry) => all + entry[key], 0);
  return { seconds: sum("cpuSeconds"), megabytes: sum("memoryBytes") / 1e6 };
}

/** Checks that a process and its descendants use less than this share of a core, in percent, for some seconds from now. */
async function assertShareBelow(pid: number, seconds: number, percent: number): Promise<void> {
  const [before, begunAt] = [usageOf(pid).seconds, performance.now()];
  await sleep(1000 * seconds);
  const share = (100_000 * (usageOf(pid).seconds - before)) / (performance.now() - begunAt);
  assert.ok(share < percent, `${share.toFixed(0)} % of a core, not less than ${percent} %`);
}

When("{string} is started and stopped {int} times", async function (app: string, times: number) {
  for (let time = 0; time < times; time += 1) {
    assert.equal((await this.request("POST", `/api/apps/start-app/${app}`)).status, 200);
    assert.equal((await this.request("POST", "/api/apps/stop-current-app")).status, 200);
  }
});

Then("the processes of the daemon have less than {int} MB", function (limit: number) {
  const { megabytes } = usageOf(this.daemonPid);
  assert.ok(megabytes < limit, `${megabytes.toFixed(0)} MB, not less than ${limit} MB`);
});

Then(
  "for {int} seconds the processes of the daemon use less than {int} % of a core",
  function (seconds: number, percent: number) {
    return assertShareBelow(this.daemonPid, seconds, percent);
  },
);

Then("for {int} seconds the app uses less than {int} % of a core", function (seconds: number, percent: number) {
  return assertShareBelow(this.appPid, seconds, percent);
});

When("{int} pictures of the camera are read", async function (count: number) {
  const headers = authorization(this.daemon.token);
  for (let n = 0; n < count; n += 1)
    assert.equal((await fetch(`${this.daemon.url}/api/camera/frame`, { headers })).status, 200, "there is a picture");
});
