import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { AppDetails } from "../../../robot/wire/apps/app-details.ts";
import type { AppRun } from "../../../robot/wire/apps/app-run.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { startTestDaemon, type TestDaemon } from "../../http/testing/test-daemon.ts";

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon(["obedient", "crash_in_run", "audio_app"]);
});
afterAll(() => daemon.close());

const details = (app: string) => daemon.json<AppDetails>(`/api/apps/details/${app}`);

test("an app's details have its size and what its code uses, with the place", async () => {
  expect(await details("audio_app")).toMatchObject({
    info: { name: "audio_app" },
    data_bytes: 0,
    uses: [expect.objectContaining({ what: "microphone", file: "audio_app/main.py" }), expect.anything()],
    restart_after_crash: false,
  });
  expect((await details("audio_app")).code_bytes).toBeGreaterThan(100);
  expect((await details("obedient")).uses).toEqual([]);
  expect(await daemon.json("/api/apps/details/unknown")).toMatchObject({ code: "app-not-found" });
});

test("the data of an app is deleted, but not while it runs", async () => {
  await mkdir(join(daemon.dataDir, "work/obedient"), { recursive: true });
  await writeFile(join(daemon.dataDir, "work/obedient/notes.txt"), "remember");
  expect((await details("obedient")).data_bytes).toBeGreaterThanOrEqual(8);
  await daemon.json("/api/apps/start-app/obedient", "POST");
  expect(await daemon.json("/api/apps/reset-data/obedient", "POST")).toMatchObject({ code: "app-already-running" });
  await daemon.json("/api/apps/stop-current-app", "POST");
  expect(await daemon.json("/api/apps/reset-data/obedient", "POST")).toMatchObject({ data_bytes: 0 });
  const body = JSON.stringify({ restart_after_crash: true });
  const headers = { "content-type": "application/json" };
  await daemon.request("/api/apps/restart-after-crash/obedient", { method: "PUT", headers, body });
  expect((await details("obedient")).restart_after_crash).toBe(true);
});

test("what an app declares is set while it is stopped and while it runs", async () => {
  const put = async (settings: unknown) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ settings });
    return JSON.parse((await daemon.request("/api/apps/settings/obedient", { method: "PUT", headers, body })).text);
  };
  const speed = { name: "speed", default: 100, max: 300 };
  expect((await details("obedient")).settings).toEqual([{ ...speed, value: 100 }]);
  const refused = { code: "bad-request", detail: "speed is 400; it must be a number of at most 300." };
  expect(await put({ speed: 400 })).toMatchObject(refused);
  expect(await put({ speed: 50 })).toMatchObject({ settings: [{ ...speed, value: 50 }] });
  await daemon.json("/api/apps/start-app/obedient", "POST");
  expect(await put({ speed: 60 })).toMatchObject({ settings: [{ ...speed, value: 60 }], settings_error: null });
  expect(JSON.parse(await readFile(join(daemon.dataDir, "work/obedient/robot_settings.json"), "utf8"))).toEqual({
    speed: 60,
  });
  await daemon.json("/api/apps/stop-current-app", "POST");
});

test("the log of an app that a sleep stops says so", async () => {
  await daemon.json("/api/apps/start-app/obedient", "POST");
  await daemon.json("/api/move/play/goto_sleep", "POST");
  const log = async () => (await daemon.request("/api/apps/logs/obedient?format=text")).text;
  await waitFor(
    DEADLINE_MS,
    "the note",
    async () => (await log()).includes("is stopped: the robot goes to sleep") || undefined,
  );
  const isDone = async () =>
    (await daemon.json<AppStatus>("/api/apps/current-app-status")).state === "done" || undefined;
  await waitFor(DEADLINE_MS, "the app's end", isDone);
});

test("the runs of an app are listed with their cause, and each has its log", async () => {
  for (let run = 0; run < 2; run += 1) {
    await daemon.json("/api/apps/start-app/crash_in_run", "POST");
    const failed = async () =>
      (await daemon.json<AppStatus>("/api/apps/current-app-status")).state === "error" ? true : undefined;
    await waitFor(DEADLINE_MS, "the app failed", failed);
  }
  const { runs } = await daemon.json<{ runs: AppRun[] }>("/api/apps/runs/crash_in_run");
  expect(runs).toHaveLength(2);
  expect(runs[0]).toMatchObject({ result: "exited with code 1", cause: expect.stringMatching(/^\w*Error/) });
  const log = await daemon.request(`/api/apps/logs/crash_in_run?run=${runs[1]?.started}&format=text`);
  expect(log.text.match(/^started /gm)).toHaveLength(1);
  expect(log.text).toContain("Traceback");
  expect(await daemon.json("/api/apps/logs/crash_in_run?run=1")).toMatchObject({ code: "run-not-found" });
});
