import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDaemon, type TestDaemon } from "../../daemon/http/testing/test-daemon.ts";
import { listenTo } from "./happenings.ts";
import { connectToDaemon } from "./running-daemon.ts";

let running: TestDaemon;
beforeAll(async () => {
  running = await startTestDaemon([], { token: "secret" });
});
afterAll(() => running.close());

test("a daemon that asks for a token is judged with it: requests, events and states", async () => {
  const daemon = await connectToDaemon(running.url, "secret");
  const told = await listenTo(daemon);
  told.close();
  await daemon.close();
});

test("without the token it says what to set", async () => {
  await expect(connectToDaemon(running.url, null)).rejects.toThrow("asks for its token: set ROBOT_DAEMON_TOKEN");
});
