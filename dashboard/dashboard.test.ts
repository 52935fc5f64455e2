import { expect, test } from "vitest";
import { IDENTITY } from "../robot/kinematics/pose.ts";
import type { Job, JobEvent } from "../robot/wire/apps/jobs.ts";
import { type Client, RequestError } from "./connection/client.ts";
import { Dashboard } from "./dashboard.ts";
import { isAddress } from "./install/install-source.ts";

const failingClient = (code: RequestError["code"], detail: string): Client => {
  const fail = () => Promise.reject(new RequestError(code, detail));
  return { get: fail, post: fail, put: fail, delete: fail };
};
const dashboard = (client: Client) =>
  new Dashboard({ client, now: () => 0, elapsed: () => 0, scheduleFlush: (flush) => flush() });

test("a refused start shows the daemon's message and leaves nothing pending", async () => {
  const page = dashboard(failingClient("app-already-running", "An app is already running"));
  await page.start("hello_robot");
  expect(page.toasts.list.value).toMatchObject([{ level: "error", text: "An app is already running" }]);
  expect(page.slot.pending.value).toBeNull();
});

test("a second start before the answer to the first does nothing", async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const post = (path: string) => {
    asked.push(path);
    return new Promise<never>((_, reject) => answers.push(() => reject(new RequestError("internal", "no"))));
  };
  const page = dashboard({ ...failingClient("internal", "unused"), post });
  const first = page.start("hello_robot");
  await page.start("hello_robot");
  const stop = page.stop();
  expect(asked).toEqual(["/api/apps/start-app/hello_robot", "/api/apps/stop-current-app"]);
  for (const answer of answers) answer();
  await Promise.all([first, stop]);
  expect(page.slot.pending.value).toBeNull();
});

test("a start replaces the app that runs, and wakes the robot up first when it sleeps", async () => {
  const asked: string[] = [];
  const post = async (path: string) => {
    asked.push(path);
    return null as never;
  };
  const page = dashboard({ ...failingClient("internal", "unused"), post });
  const slot = { info: { name: "obedient" }, state: "running", error: null, since: 0 };
  page.receiveEvent("slot", JSON.stringify(slot));
  await page.start("hello_robot");
  page.receiveEvent("slot", JSON.stringify({ ...slot, state: "done" }));
  const loop = { frequencyHz: 100, busErrors: 0 };
  const pose = { headJoints: [0, 0, 0, 0, 0, 0, 0], antennas: [0, 0], headPose: IDENTITY, sent: null, loop };
  const robot = (awake: boolean) => ({
    ...pose,
    phase: "running",
    motorMode: "disabled",
    awake,
    error: null,
    move: null,
  });
  page.receiveState(JSON.stringify(robot(false)));
  const started = page.start("hello_robot");
  await Promise.resolve();
  expect(asked).toEqual(["/api/apps/start-app/hello_robot?replace=true", "/api/move/play/wake_up"]);
  await Promise.resolve();
  page.receiveState(JSON.stringify(robot(true)));
  await started;
  expect(asked.slice(2)).toEqual(["/api/apps/start-app/hello_robot"]);
});

test("a missing token locks the page and shows no toasts", async () => {
  const page = dashboard(failingClient("token-required", "Send the token."));
  await page.refresh();
  expect(page.locked.value).toBe(true);
  expect(page.toasts.list.value).toEqual([]);
});

test("events change the part of the page that they belong to; unknown events are ignored", () => {
  const page = dashboard(failingClient("internal", "unused"));
  page.receiveEvent("startup-app", '{"startup_app":"hello_robot"}');
  page.receiveEvent("robot", '{"kind":"fault","level":"error","message":"Servo 12 is too hot.","data":{}}');
  page.receiveEvent("robot", '{"kind":"phase","level":"info","message":"running","data":{}}');
  page.receiveEvent("robot", '{"kind":"target_clipped","level":"warning","message":"Too far left.","data":{}}');
  page.receiveEvent("of-tomorrow", "{}");
  expect(page.startupApp.value).toBe("hello_robot");
  expect(page.toasts.list.value.map(({ text }) => text)).toEqual(["Servo 12 is too hot."]);
  expect(page.logs.visible.value.map(({ app, text }) => `${app}: ${text}`)).toEqual(["robot: Too far left."]);
});

test.each([
  ["https://hub.example/spaces/ana/app", true],
  ["git+ssh://host/app", true],
  ["/home/ana/app", false],
  ["./app", false],
  ["C:\\apps\\mine", false],
])("isAddress(%s) is %s", (source, expected) => {
  expect(isAddress(source)).toBe(expected);
});

test("the log of a job grows by the lines of its events, and an older answer does not shorten it", async () => {
  const fields = {
    job_id: "1",
    command: "install /wave",
    status: "in_progress",
    stage: "install",
    percent: 20,
  } as const;
  const job: Job = { ...fields, logs: ["one"], log_lines: 1, error: null, code: null, result: null };
  const page = dashboard({ ...failingClient("internal", "unused"), get: async (path) => answerTo(path) as never });
  const answerTo = (path: string) =>
    ({ "/api/apps/jobs": [job], "/api/daemon/status": {}, "/api/apps/startup-app": {}, "/api/apps/list": [] })[path] ??
    null;
  const receive = (log_lines: number, ...new_logs: string[]) => {
    const { logs: _, ...rest } = job;
    page.receiveEvent("job", JSON.stringify({ ...rest, log_lines, new_logs } satisfies JobEvent));
  };
  receive(2, "one", "two");
  await page.refresh();
  expect(page.jobs.value[0]?.logs).toEqual(["one", "two"]);
  receive(2, "two");
  receive(3, "three");
  expect(page.jobs.value).toMatchObject([{ logs: ["one", "two", "three"], log_lines: 3, percent: 20 }]);
});

test("a refused push is shown as a toast, an unreachable daemon is not", async () => {
  for (const [code, count] of [
    ["bad-request", 1],
    ["unreachable", 0],
  ] as const) {
    const page = dashboard(failingClient(code, "There is no such body."));
    await page.push({ body: "tail", force: [1, 0, 0] });
    expect(page.toasts.list.value).toHaveLength(count);
  }
});
