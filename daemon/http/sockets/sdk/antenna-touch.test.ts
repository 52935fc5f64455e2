import { once } from "node:events";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import WebSocket from "ws";
import { DEADLINE_MS } from "../../../../common/testing/deadline.ts";
import { waitFor } from "../../../../common/time/wait-for.ts";
import { startTestDaemon, type TestDaemon } from "../../testing/test-daemon.ts";

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon([]);
});
afterAll(() => daemon.close());

interface Message {
  type: string;
  antenna?: string;
  antennas_joint_positions?: [number, number];
}

/** States in the 1.5 s for which an antenna without torque must be still before a push counts as a touch. */
const STILL_STATES = 75;

/** Returns the list to which all messages of a new client are added. */
async function connect(headers: Record<string, string>): Promise<Message[]> {
  const received: Message[] = [];
  const socket = new WebSocket(`${daemon.url.replace("http", "ws")}/ws/sdk`, { headers });
  socket.on("message", (data) => received.push(JSON.parse(String(data))));
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return received;
}

/** Whether the left antenna has moved by less than 0.02 rad in its last states. */
function isStill(messages: readonly Message[]): boolean {
  const angles = messages.flatMap((message) => message.antennas_joint_positions?.[1] ?? []).slice(-STILL_STATES);
  return angles.length === STILL_STATES && Math.max(...angles) - Math.min(...angles) < 0.02;
}

test("robot-sdk gets touches of the antennas, and the public SDK does not", async () => {
  const [robotSdk, publicSdk] = [await connect({ "x-robot-client-pid": "1" }), await connect({})];
  const touches = (messages: readonly Message[]) => messages.filter(({ type }) => type === "antenna_touched");
  await waitFor(60_000, "the left antenna is still", () => isStill(robotSdk));
  await daemon.request("/api/simulation/push", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ body: "left_antenna", force: [0.4, 0, 0], seconds: 0.5 }),
  });
  const [touch] = await waitFor(DEADLINE_MS, "a touch", () =>
    touches(robotSdk).length > 0 ? touches(robotSdk) : undefined,
  );
  expect(touch).toEqual({ type: "antenna_touched", antenna: "left" });
  expect(touches(publicSdk)).toEqual([]);
  expect(publicSdk.length).toBeGreaterThan(0);
});
