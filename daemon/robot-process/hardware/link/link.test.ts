import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { openLink } from "./open.ts";
import { sysfsPorts } from "./serial.ts";
import { streamLink } from "./stream-link.ts";

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server = undefined;
});

async function listen(): Promise<{ address: string; accepted: Promise<Socket> }> {
  const started = createServer();
  server = started;
  const accepted = once(started, "connection").then(([socket]) => socket as Socket);
  await once(started.listen(0, "127.0.0.1"), "listening");
  return { address: `tcp://127.0.0.1:${(started.address() as { port: number }).port}`, accepted };
}

describe("a TCP link", () => {
  test("carries bytes both ways", async () => {
    const { address, accepted } = await listen();
    const link = await openLink(address);
    const far = await accepted;
    link.write(Uint8Array.of(1, 2, 3));
    const [there] = (await once(far, "data")) as [Buffer];
    expect([...there]).toEqual([1, 2, 3]);
    const back = new Promise<Uint8Array>((resolve) => link.onData(resolve));
    far.write(Uint8Array.of(4, 5));
    expect([...(await back)]).toEqual([4, 5]);
    await link.close();
  });

  test("reports once that the far end has closed, with a reason", async () => {
    const { address, accepted } = await listen();
    const link = await openLink(address);
    const reasons: unknown[] = [];
    const closed = new Promise<void>((resolve) => {
      link.onClose((reason) => {
        reasons.push(reason);
        resolve();
      });
    });
    link.onData(() => undefined);
    (await accepted).destroy();
    await closed;
    link.write(Uint8Array.of(1));
    await link.close();
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toBeInstanceOf(Error);
  });

  test("reports a reset of the far end with the system's error", async () => {
    const { address, accepted } = await listen();
    const link = await openLink(address);
    const closed = new Promise<unknown>((resolve) => link.onClose(resolve));
    link.onData(() => undefined);
    (await accepted).resetAndDestroy();
    expect(await closed).toMatchObject({ message: expect.stringContaining("ECONNRESET") });
    await link.close();
  });

  test("closed at this end, it reports that without a reason", async () => {
    const { address } = await listen();
    const link = await openLink(address);
    const closed = new Promise<unknown>((resolve) => link.onClose(resolve));
    await link.close();
    expect(await closed).toBeUndefined();
  });

  test("to a port where nothing listens is refused", async () => {
    const { address } = await listen();
    server?.close();
    await expect(openLink(address)).rejects.toMatchObject({ code: "robot-not-found" });
  });
});

test("a link whose device fails to close rejects, and reports that it is closed", async () => {
  const link = streamLink("port", new PassThrough(), () => Promise.reject(new Error("the device is gone")));
  const reasons: unknown[] = [];
  link.onClose((reason) => reasons.push(reason));
  await expect(link.close()).rejects.toThrow("the device is gone");
  expect(reasons).toEqual([undefined]);
});

describe("addresses and ports", () => {
  test("an unknown kind of address is refused with the known ones", async () => {
    await expect(openLink("/dev/ttyACM0")).rejects.toThrow(/use serial, serial:PATH or tcp:\/\/HOST:PORT/);
  });

  test("a missing serial port is named, with what to do", async () => {
    await expect(openLink("serial:/dev/no-such-port")).rejects.toMatchObject({
      code: "robot-not-found",
      message: expect.stringMatching(/no-such-port.*USB cable.*--sim/),
    });
  });

  test("the robot's adapter is found in the kernel's list by its USB id", async () => {
    const root = temporaryFolder("tty-");
    const port = async (name: string, product: string): Promise<void> => {
      await mkdir(join(root, name, "device"), { recursive: true });
      await writeFile(join(root, name, "device", "uevent"), `DEVTYPE=usb_interface\nPRODUCT=${product}\n`);
    };
    await port("ttyACM0", "2341/43/1");
    await port("ttyACM1", "1a86/55d3/443");
    await mkdir(join(root, "tty1"));
    expect(await sysfsPorts(root)).toEqual(["/dev/ttyACM1"]);
    expect(await sysfsPorts(join(root, "none"))).toEqual([]);
  });
});
