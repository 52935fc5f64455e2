import { expect, test } from "vitest";
import type { DaemonClient } from "../../../robot/rest/daemon-client.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { installEditable } from "./session-app.ts";

const job = (job_id: string) => ({
  job_id,
  command: `install ${job_id}`,
  status: "done" as const,
  stage: null,
  percent: 100,
  logs: [],
  log_lines: 0,
  error: null,
  code: null,
  result: null,
});

/** A daemon whose dashboard installs the app at first. @param ends settles when that job ends */
function busyDaemon(ends: Promise<unknown>) {
  const installs: string[] = [];
  const request: DaemonClient["request"] = async (method) => {
    if (method === "GET") return [job("of-the-dashboard")];
    installs.push("asked");
    if (installs.length === 1) throw new WorkbenchError("app-busy", "my_app is being installed or removed.");
    return job("of-dev");
  };
  const followJob: DaemonClient["followJob"] = async (answer) => {
    const { job_id } = answer as { job_id: string };
    if (job_id === "of-the-dashboard") await ends;
    return job(job_id);
  };
  return { client: { request, followJob } as DaemonClient, installs };
}

test("an install waits for the one of the dashboard", async () => {
  const { client, installs } = busyDaemon(Promise.resolve());
  await installEditable(client, "/my_app", new AbortController().signal);
  expect(installs).toHaveLength(2);
});

test("the wait for the dashboard's install can be cancelled", async () => {
  const { client, installs } = busyDaemon(new Promise(() => {}));
  const cancel = new AbortController();
  const installed = installEditable(client, "/my_app", cancel.signal);
  cancel.abort(new Error("cancelled"));
  await expect(installed).rejects.toThrow("cancelled");
  expect(installs).toHaveLength(1);
});
