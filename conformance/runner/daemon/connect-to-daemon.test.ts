import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDaemon, type TestDaemon } from "../../../daemon/http/testing/test-daemon.ts";
import { openEventStream } from "../observe/event-stream.ts";
import { connectToDaemon } from "./connect-to-daemon.ts";

let running: TestDaemon;
beforeAll(async () => {
  running = await startTestDaemon([], { token: "secret" });
});
afterAll(() => running.close());

test("connects to a daemon with its token: requests, events and states", async () => {
  const daemon = await connectToDaemon(running.url, "secret");
  const events = await openEventStream(daemon);
  events.close();
  await daemon.close();
});

test("without the token, the error names the variable to set", async () => {
  await expect(connectToDaemon(running.url, null)).rejects.toThrow("asks for its token: set ROBOT_DAEMON_TOKEN");
});
