import { once } from "node:events";
import { constants, openSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { ReadStream } from "node:tty";
import { promisify } from "node:util";
import { SerialPort } from "serialport";
import { afterEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { openPtyTransport } from "./pty-transport.ts";
import { openTcpTransport } from "./tcp-transport.ts";
import { MAX_UNREAD_BYTES, type Transport } from "./transport.ts";

/** Every byte value, to detect a terminal that translates or drops some. */
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, i) => i);

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUps.splice(0).reverse()) await step();
});

interface Kind {
  open(): Promise<Transport>;
  /** Connects a driver. */
  driver(transport: Transport): Promise<Duplex>;
}
const PTY: Kind = {
  async open() {
    return openPtyTransport(join(temporaryFolder("transport-"), "tty"));
  },
  async driver(transport) {
    return new ReadStream(openSync(transport.address, constants.O_RDWR | constants.O_NOCTTY));
  },
};
const TCP: Kind = {
  open: () => openTcpTransport(0),
  async driver(transport) {
    const { hostname, port } = new URL(transport.address);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return socket;
  },
};

/** Resolves with the received bytes when there are at least `length`. */
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
])("%s transport", (_, kind) => {
  async function open(): Promise<Transport> {
    const transport = await kind.open();
    cleanUps.push(() => transport.unplug());
    return transport;
  }

  test("carries every byte value in both directions, for several drivers in sequence", async () => {
    const transport = await open();
    for (let visit = 0; visit < 3; visit++) {
      const driver = await kind.driver(transport);
      const arrived = collect((listener) => transport.onData(listener), 256);
      driver.write(ALL_BYTES);
      expect((await arrived).equals(ALL_BYTES)).toBe(true);
      const answered = collect((listener) => driver.on("data", listener), 256);
      transport.send(ALL_BYTES);
      expect((await answered).equals(ALL_BYTES)).toBe(true);
      await end(driver);
    }
  });

  test("unplug disconnects the driver; after plug the same address works", async () => {
    const transport = await open();
    const { address } = transport;
    const driver = await kind.driver(transport);
    driver.on("error", () => undefined);
    driver.resume();
    const lost = once(driver, "close");
    await transport.unplug();
    await lost;
    await expect(kind.driver(transport)).rejects.toThrow();
    await transport.plug();
    expect(transport.address).toBe(address);
    const again = await kind.driver(transport);
    const answered = collect((listener) => again.on("data", listener), 3);
    transport.send(Uint8Array.of(1, 2, 3));
    expect([...(await answered)]).toEqual([1, 2, 3]);
    await end(again);
  });

  test("a driver that does not read does not block sending", async () => {
    const transport = await open();
    const driver = await kind.driver(transport);
    for (let i = 0; i < 2000; i++) transport.send(new Uint8Array(MAX_UNREAD_BYTES / 8));
    const arrived = collect((listener) => transport.onData(listener), 2);
    driver.write(Uint8Array.of(7, 8));
    expect([...(await arrived)]).toEqual([7, 8]);
    await end(driver);
  });
});

test("the daemon's serial library opens the device at 1 Mbaud", async () => {
  const transport = await PTY.open();
  cleanUps.push(() => transport.unplug());
  const port = new SerialPort({ path: transport.address, baudRate: 1_000_000, autoOpen: false });
  await promisify(port.open.bind(port))();
  const arrived = collect((listener) => transport.onData(listener), 256);
  port.write(ALL_BYTES);
  expect((await arrived).equals(ALL_BYTES)).toBe(true);
  const answered = collect((listener) => port.on("data", listener), 256);
  transport.send(ALL_BYTES);
  expect((await answered).equals(ALL_BYTES)).toBe(true);
  await promisify(port.close.bind(port))();
});

test("the bit rate that a driver sets is known with its bytes, and is that of the robot for one that sets none", async () => {
  const transport = await PTY.open();
  cleanUps.push(() => transport.unplug());
  const driver = await PTY.driver(transport);
  const first = collect((listener) => transport.onData(listener), 1);
  driver.write(Uint8Array.of(1));
  await first;
  const rates = [transport.bitRate];
  await end(driver);
  for (const baudRate of [57_600, 4_000_000, 1_000_000]) {
    const port = new SerialPort({ path: transport.address, baudRate, autoOpen: false });
    await promisify(port.open.bind(port))();
    const arrived = collect((listener) => transport.onData(listener), 1);
    port.write(Uint8Array.of(1));
    await arrived;
    rates.push(transport.bitRate);
    await promisify(port.close.bind(port))();
  }
  expect(rates).toEqual([1_000_000, 57_600, 4_000_000, 1_000_000]);
});

test("the device is removed when the transport is unplugged", async () => {
  const transport = await PTY.open();
  expect(await readlink(transport.address)).toMatch(/^\/dev\//);
  await transport.unplug();
  await expect(readlink(transport.address)).rejects.toThrow(/ENOENT/);
});

test("a port that is in use is refused with a hint", async () => {
  const first = await openTcpTransport(0);
  cleanUps.push(() => first.unplug());
  await expect(openTcpTransport(Number(new URL(first.address).port))).rejects.toThrow(
    /Use another one, or 0 for a free one/,
  );
});
