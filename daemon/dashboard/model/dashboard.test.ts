import { expect, test } from "vitest";
import { type Client, RequestError } from "../link/client.ts";
import { Dashboard, isAddress } from "./dashboard.ts";

const refusing = (code: RequestError["code"], detail: string): Client => {
  const refuse = () => Promise.reject(new RequestError(code, detail));
  return { get: refuse, post: refuse, put: refuse, delete: refuse };
};
const dashboard = (client: Client) => new Dashboard({ client, now: () => 0, flushSoon: (flush) => flush() });

test("a refused start is told in the daemon's words and leaves nothing pending", async () => {
  const page = dashboard(refusing("app-already-running", "An app is already running"));
  await page.start("hello_robot");
  expect(page.toasts.list.value).toMatchObject([{ level: "error", text: "An app is already running" }]);
  expect(page.slot.pending.value).toBeNull();
});

test("a missing token locks the page instead of raining toasts", async () => {
  const page = dashboard(refusing("token-required", "Send the token."));
  await page.refresh();
  expect(page.locked.value).toBe(true);
  expect(page.toasts.list.value).toEqual([]);
});

test("events reach what they are about; unknown ones are ignored", () => {
  const page = dashboard(refusing("internal", "unused"));
  page.receiveEvent("startup-app", '{"startup_app":"hello_robot"}');
  page.receiveEvent("robot", '{"kind":"fault","level":"error","message":"Servo 12 is too hot.","data":{}}');
  page.receiveEvent("robot", '{"kind":"phase","level":"info","message":"running","data":{}}');
  page.receiveEvent("robot", '{"kind":"target_clipped","level":"warning","message":"Too far left.","data":{}}');
  page.receiveEvent("of-tomorrow", "{}");
  expect(page.startupApp.value).toBe("hello_robot");
  expect(page.toasts.list.value.map(({ text }) => text)).toEqual(["Servo 12 is too hot."]);
  expect(page.logs.shown.value.map(({ app, text }) => `${app}: ${text}`)).toEqual(["robot: Too far left."]);
});

test.each([
  ["https://hub.example/spaces/ana/app", true],
  ["git+ssh://host/app", true],
  ["/home/ana/app", false],
  ["./app", false],
  ["C:\\apps\\mine", false],
])("%s is an address: %s", (source, expected) => {
  expect(isAddress(source)).toBe(expected);
});
