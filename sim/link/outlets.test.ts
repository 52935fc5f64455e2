import { once } from "node:events";
import { constants, openSync } from "node:fs";
import { mkdtemp, readlink, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { ReadStream } from "node:tty";
import { promisify } from "node:util";
import { SerialPort } from "serialport";
import { afterEach, describe, expect, test } from "vitest";
import { MAX_UNREAD, type Outlet } from "./outlet.ts";
import { openPtyOutlet } from "./pty-outlet.ts";
import { openTcpOutlet } from "./tcp-outlet.ts";

/** Every byte value, so that a terminal which still translates or swallows some shows. */
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, i) => i);

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

interface Kind {
  open(): Promise<Outlet>;
  /** A driver that has it open. */
  driver(outlet: Outlet): Promise<Duplex>;
}
const PTY: Kind = {
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "outlet-"));
    undo.push(() => rm(folder, { recursive: true }));
    return openPtyOutlet(join(folder, "tty"));
  },
  async driver(outlet) {
    return new ReadStream(openSync(outlet.address, constants.O_RDWR | constants.O_NOCTTY));
  },
};
const TCP: Kind = {
  open: () => openTcpOutlet(0),
  async driver(outlet) {
    const { hostname, port } = new URL(outlet.address);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return socket;
  },
};

/** Collects what comes in and resolves when it is enough. */
function collect(on: (listener: (chunk: Uint8Array) => void) => unknown, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve) => {
    on((chunk) => {
      chunks.push(chunk);
      const all = Buffer.concat(chunks);
      if (all.length >= length) resolve(all);
    });
  });
}
async function end(driver: Duplex): Promise<void> {
  const closed = once(driver, "close");
  driver.destroy();
  await closed;
}

describe.each([
  ["PTY", PTY],
  ["TCP", TCP],
])("%s outlet", (_, kind) => {
  async function open(): Promise<Outlet> {
    const outlet = await kind.open();
    undo.push(() => outlet.close());
    return outlet;
  }

  test("carries every byte both ways, for one driver after another", async () => {
    const outlet = await open();
    for (let visit = 0; visit < 3; visit++) {
      const driver = await kind.driver(outlet);
      const arrived = collect((listener) => outlet.onData(listener), 256);
      driver.write(ALL_BYTES);
      expect((await arrived).equals(ALL_BYTES)).toBe(true);
      const answered = collect((listener) => driver.on("data", listener), 256);
      outlet.send(ALL_BYTES);
      expect((await answered).equals(ALL_BYTES)).toBe(true);
      await end(driver);
    }
  });

  test("a pulled cable ends the driver; plugged in again, the same address works", async () => {
    const outlet = await open();
    const { address } = outlet;
    const driver = await kind.driver(outlet);
    driver.on("error", () => undefined);
    driver.resume();
    const lost = once(driver, "close");
    await outlet.unplug();
    await lost;
    await expect(kind.driver(outlet)).rejects.toThrow();
    await outlet.plug();
    expect(outlet.address).toBe(address);
    const again = await kind.driver(outlet);
    const answered = collect((listener) => again.on("data", listener), 3);
    outlet.send(Uint8Array.of(1, 2, 3));
    expect([...(await answered)]).toEqual([1, 2, 3]);
    await end(again);
  });

  test("a driver that does not read stops nobody", async () => {
    const outlet = await open();
    const driver = await kind.driver(outlet);
    for (let i = 0; i < 2000; i++) outlet.send(new Uint8Array(MAX_UNREAD / 8));
    const arrived = collect((listener) => outlet.onData(listener), 2);
    driver.write(Uint8Array.of(7, 8));
    expect([...(await arrived)]).toEqual([7, 8]);
    await end(driver);
  });
});

test("the daemon's serial library opens the device at 1 Mbaud", async () => {
  const outlet = await PTY.open();
  undo.push(() => outlet.close());
  const port = new SerialPort({ path: outlet.address, baudRate: 1_000_000, autoOpen: false });
  await promisify(port.open.bind(port))();
  const arrived = collect((listener) => outlet.onData(listener), 256);
  port.write(ALL_BYTES);
  expect((await arrived).equals(ALL_BYTES)).toBe(true);
  const answered = collect((listener) => port.on("data", listener), 256);
  outlet.send(ALL_BYTES);
  expect((await answered).equals(ALL_BYTES)).toBe(true);
  await promisify(port.close.bind(port))();
});

test("the device is gone when the outlet is closed", async () => {
  const outlet = await PTY.open();
  expect(await readlink(outlet.address)).toMatch(/^\/dev\//);
  await outlet.close();
  await expect(readlink(outlet.address)).rejects.toThrow(/ENOENT/);
});

test("a taken port is refused with what to do", async () => {
  const first = await openTcpOutlet(0);
  undo.push(() => first.close());
  await expect(openTcpOutlet(Number(new URL(first.address).port))).rejects.toThrow(/Try another, or 0 for a free one/);
});
