// The least that the messages of an app at 50 Hz cost in these processes on this machine: a WebSocket server, a loop of its own at
// 100 Hz behind an IPC channel, and a client, which exchange texts as long as the daemon's and do nothing else.
// `node --import tsx lab/bench/message-floor.ts ROLE` runs one of them.
import { fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

const PERIOD_MS = 10;
const TARGET = { type: "set_target", head: Array(16).fill(0.123), antennas: [0.1, 0.2], body_yaw: 0.1 };
const STATE = {
  kind: "state",
  state: { time: 0, head: Array(16).fill(0.123), joints: Array(9).fill(0.5), phase: "running" },
};

const ROLES: Record<string, () => Promise<void>> = {
  /** The daemon's main process. */
  server: async () => {
    const loop = startRole("loop");
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    let id = 0;
    server.on("connection", (socket) => {
      socket.on("message", (text) => void loop.send({ id: ++id, args: [JSON.parse(String(text))] }));
    });
    loop.on("message", ({ state }: { state?: unknown }) => {
      if (state !== undefined) for (const socket of server.clients) socket.send(JSON.stringify(state));
    });
    await once(server, "listening");
    process.send?.({ port: (server.address() as AddressInfo).port });
    process.on("disconnect", () => process.exit());
  },
  /** The robot process. */
  loop: async () => {
    const never = new Int32Array(new SharedArrayBuffer(4));
    const send = (message: object) => void process.send?.(message, undefined, undefined, () => {});
    process.on("message", ({ id }: { id: number }) => send({ id, value: null }));
    process.on("disconnect", () => process.exit());
    for (let tick = 0, next = performance.now(); ; tick += 1) {
      next += PERIOD_MS;
      await new Promise((done) => setTimeout(done, Math.floor(next - performance.now()) - 1));
      Atomics.wait(never, 0, 0, Math.max(0, next - performance.now()));
      if (tick % 2 === 0) send(STATE);
    }
  },
  /** The app; its own cost does not count. */
  app: async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${process.argv[3]}`);
    socket.on("message", () => {});
    socket.on("open", () => setInterval(() => socket.send(JSON.stringify(TARGET)), 2 * PERIOD_MS));
    process.on("disconnect", () => process.exit());
  },
};

const startRole = (role: string, ...args: string[]) =>
  fork(import.meta.filename, [role, ...args], { serialization: "advanced" });

/** @param corePercent of a process with its children */
export async function measureMessageFloor(corePercent: (pid: number) => Promise<number>) {
  const server = startRole("server");
  const [{ port }] = await once(server, "message");
  const app = startRole("app", String(port));
  try {
    return await corePercent(server.pid ?? 0);
  } finally {
    app.disconnect();
    server.disconnect();
  }
}

await ROLES[process.argv[2] ?? ""]?.();
