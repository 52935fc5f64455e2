import { expect, test } from "vitest";
import { type Client, RequestError } from "./connection/client.ts";
import { Dashboard, isAddress } from "./dashboard.ts";

const failingClient = (code: RequestError["code"], detail: string): Client => {
  const fail = () => Promise.reject(new RequestError(code, detail));
  return { get: fail, post: fail, put: fail, delete: fail };
};
const dashboard = (client: Client) => new Dashboard({ client, now: () => 0, scheduleFlush: (flush) => flush() });

test("a refused start shows the daemon's message and leaves nothing pending", async () => {
  const page = dashboard(failingClient("app-already-running", "An app is already running"));
  await page.start("hello_robot");
  expect(page.toasts.list.value).toMatchObject([{ level: "error", text: "An app is already running" }]);
  expect(page.slot.pending.value).toBeNull();
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
