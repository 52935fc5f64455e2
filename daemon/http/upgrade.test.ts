import type { Server } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import { ManualClock } from "../../common/time/manual-clock.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { AppHost } from "../apps/app-host.ts";
import { RecordingRobot } from "../apps/testing/recording-robot.ts";
import { RateLimit } from "./access/rate-limit.ts";
import { ConnectionLimits, connectionLimitsFor } from "./connections/connection-limits.ts";
import { createLimitedServer } from "./connections/limited-server.ts";
import { WebSocketEndpoint } from "./connections/web-socket-endpoint.ts";
import { compatibilitySockets } from "./sockets/compatibility/compatibility-sockets.ts";
import { acceptAt, upgradeListener } from "./upgrade.ts";

const clock = new ManualClock();
const jobs = {
  get: () => {
    throw new WorkbenchError("job-not-found", "There is no such job.");
  },
};
const failing = (error: Error): WebSocketEndpoint =>
  new WebSocketEndpoint({
    clock,
    maxMessageBytes: 100,
    onConnect: () => {
      throw error;
    },
  });

let server: Server;
let origin: string;
const endpoints = new Map([
  ["/fails", failing(new Error("a bug"))],
  ["/refuses", failing(new WorkbenchError("bad-request", `no ${"ä".repeat(200)}`))],
  ...compatibilitySockets(new RecordingRobot().asRobot(), { jobs } as unknown as AppHost, clock),
]);

beforeAll(async () => {
  const connections = new ConnectionLimits(connectionLimitsFor(4096).port);
  server = createLimitedServer((_, response) => response.end(), new AbortController().signal, connections);
  const access = { loopback: true, names: [], token: null };
  const parts = { server, access, rateLimit: new RateLimit(() => 0), connections };
  server.on("upgrade", upgradeListener({ ...parts, accept: acceptAt(endpoints) }));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  origin = `ws://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => {
  for (const endpoint of endpoints.values()) endpoint.close();
  server.close().closeAllConnections();
});

/** Opens a WebSocket. @returns the status of a refusal, or the code with which it was closed and the messages before */
function open(path: string): Promise<{ status?: number; code?: number; reason?: string; messages: string[] }> {
  return new Promise((resolve, reject) => {
    const messages: string[] = [];
    const socket = new WebSocket(origin + path);
    socket.on("message", (data) => messages.push(String(data)));
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, messages });
    });
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason), messages }));
    socket.on("open", () => setImmediate(() => socket.close(1000)));
    socket.on("error", reject); // an answer in HTTP inside the WebSocket is an invalid frame
  });
}

test.each([
  ["/api/apps/ws/apps-manager/%zz", 422],
  ["/api/apps/ws/apps-manager/%E0%A4%A", 422],
  ["/api/state/ws/full?frequency=x", 422],
  ["/api/state/ws/full?frequency=0", 422],
  ["/api/state/ws/full?%zz=%zz&with_control_mode=maybe", 422],
  ["/nowhere/%zz", 404],
])(
  "a request that an endpoint refuses is answered before its connection changes the protocol: %s",
  async (path, status) => {
    expect(await open(path)).toEqual({ status, messages: [] });
  },
);

test("what fails after the change is said by a closing frame", async () => {
  expect(await open("/fails")).toMatchObject({ code: 1011, messages: [] });
  const { code, reason = "" } = await open("/refuses");
  expect([code, reason.slice(0, 6), Buffer.byteLength(reason) <= 123]).toEqual([1008, "no äää", true]);
});

test("whatever address is asked for, its connection speaks one protocol at a time", async () => {
  const paths = ["/api/apps/ws/apps-manager/", "/api/state/ws/full", "/api/move/ws/updates", "/fails", "/"];
  const rest = fc.array(fc.constantFrom("%", "zz", "%20", "/", "?", "=", "&", "frequency", "1", "-1", "e9", "+", "a"));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), rest, async (path, more) => {
      const { status, code } = await open(path + more.join(""));
      expect(status === undefined ? [1000, 1005, 1008, 1011] : [404, 422]).toContain(status ?? code);
    }),
    { numRuns: PROPERTY_RUNS / 5 },
  );
});
