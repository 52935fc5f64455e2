import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import type { Connection } from "./connection-limits.ts";
import { UnreadBytes } from "./unread-bytes.ts";

const LIMITS = { totalBytes: 1000, answerMs: 30_000 };

let clock: ManualClock;
let connections: Connection[];
let unread: UnreadBytes;
beforeEach(() => {
  [clock, connections] = [new ManualClock(), []];
  unread = new UnreadBytes(() => connections, clock, LIMITS);
});

/** Adds a connection whose client does not read until `read` is called. */
function connectionWith(bytes: number, streams = 0): { socket: Duplex; read: () => void } {
  let read = (): void => {};
  const socket = new Duplex({
    read() {},
    write: (_chunk, _encoding, done) => {
      read = done;
    },
  });
  connections.push({ socket, address: "loopback", requests: 1, incoming: null, streams });
  socket.write(Buffer.alloc(bytes));
  return { socket, read: () => read() };
}

const destroyed = () => connections.map(({ socket }) => socket.destroyed);

test("an answer has to be read within thirty seconds; a stream may be behind for longer", () => {
  const [answer, slow] = [connectionWith(10), connectionWith(10)];
  connectionWith(10, 1);
  clock.advance(29_000);
  slow.read();
  clock.advance(1000);
  slow.socket.write(Buffer.alloc(10));
  clock.advance(1000);
  expect(destroyed()).toEqual([true, false, false]);
  expect(answer.socket.destroyed).toBe(true);
});

test("beyond the total, those with the most bytes for the longest time are closed", () => {
  connectionWith(300);
  clock.advance(5000);
  connectionWith(400);
  connectionWith(50, 1);
  clock.advance(250);
  expect(destroyed()).toEqual([false, false, false]);
  connectionWith(400);
  clock.advance(250);
  expect(destroyed()).toEqual([true, true, false, false]);
});

test("answers of one moment are counted without waiting for the next check", () => {
  for (let count = 0; count < 20; count += 1) {
    connectionWith(100);
    unread.add(100);
  }
  expect(destroyed().filter((gone) => !gone).length).toBeLessThanOrEqual(10);
});

test("nothing is checked after it is closed", () => {
  connectionWith(5000);
  unread.close();
  clock.advance(60_000);
  expect(destroyed()).toEqual([false]);
});

test("the connection of a client that does not read is reset, so that the system keeps nothing for it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  const [socket] = (await once(server, "connection")) as [Socket];
  connections.push({ socket, address: "loopback", requests: 1, incoming: null, streams: 0 });
  socket.on("error", () => {});
  // More than the system takes.
  socket.write(Buffer.alloc(30_000_000));
  clock.advance(250);
  const [error] = (await once(client.resume(), "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET");
});
