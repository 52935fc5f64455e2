import { spawnSync } from "node:child_process";
import { closeSync, writeSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { ReadStream } from "node:tty";
import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { MAX_UNREAD, type Outlet } from "./outlet.ts";

/** Milliseconds until bytes that the driver has not made room for are offered again. */
const RETRY = 1;

interface Native {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
}

/**
 * A pseudo-terminal that drivers open like the robot's serial port.
 *
 * @param path where the device shall be found, which must be free: a symbolic link, as a terminal that is plugged in
 * again gets another number
 * @throws WorkbenchError `usage` where pseudo-terminals are not to be had
 */
export async function openPtyOutlet(path: string): Promise<Outlet> {
  const outlet = new PtyOutlet(path, loadNative());
  await outlet.plug();
  return outlet;
}

/**
 * node-pty's own `open` reads the driver's end too and loses bytes, so this takes the binding below it, which is not
 * part of the documented interface.
 */
function loadNative(): Native {
  try {
    const { requireBinary } = createRequire(import.meta.url)("@lydell/node-pty/requireBinary.js");
    return requireBinary("pty.node");
  } catch (cause) {
    const detail =
      "A device path needs the package @lydell/node-pty, which this machine has no build of. Use --tcp PORT instead.";
    throw new WorkbenchError("usage", detail, { cause });
  }
}

/** Bytes pass as they are even for a driver that does not set the device up. Node's own raw mode still turns LF to CR LF. */
function makeRaw(slave: number): void {
  const { error, status } = spawnSync("stty", ["raw", "-echo"], { stdio: [slave, "ignore", "ignore"] });
  if (status !== 0) throw new WorkbenchError("usage", "A device path needs the tool stty.", { cause: error });
}

class PtyOutlet implements Outlet {
  readonly address: string;
  readonly #native: Native;
  readonly #listeners = new Set<(chunk: Uint8Array) => void>();
  readonly #unread: Uint8Array[] = [];
  #unreadBytes = 0;
  #retry: NodeJS.Timeout | undefined;
  #terminal: { stream: ReadStream; master: number; slave: number } | undefined;

  constructor(path: string, native: Native) {
    this.address = path;
    this.#native = native;
  }

  async plug(): Promise<void> {
    if (this.#terminal !== undefined) return;
    const { master, slave, pty } = this.#native.open(80, 24);
    const stream = new ReadStream(master);
    // The slave stays open here, or the device would be gone when the first driver closes it.
    this.#terminal = { stream, master, slave };
    makeRaw(slave);
    stream.on("data", (chunk) => {
      for (const listener of this.#listeners) listener(chunk);
    });
    stream.on("error", () => this.#release());
    await symlink(pty, this.address);
  }

  async unplug(): Promise<void> {
    if (this.#terminal === undefined) return;
    this.#release();
    await rm(this.address, { force: true });
  }

  close(): Promise<void> {
    return this.unplug();
  }

  onData(listener: (chunk: Uint8Array) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  send(bytes: Uint8Array): void {
    if (this.#terminal === undefined || this.#unreadBytes + bytes.length > MAX_UNREAD) return;
    this.#unread.push(bytes);
    this.#unreadBytes += bytes.length;
    if (this.#retry === undefined) this.#flush();
  }

  /** Writes without the stream: that one would block the whole process on a driver that does not read. */
  #flush(): void {
    this.#retry = undefined;
    for (let [next] = this.#unread; next !== undefined; [next] = this.#unread) {
      const written = this.#write(next);
      this.#unreadBytes -= written;
      if (written < next.length) {
        this.#unread[0] = next.subarray(written);
        this.#retry = setTimeout(() => this.#flush(), RETRY);
        return;
      }
      this.#unread.shift();
    }
  }

  /** How many bytes went out; none when the line is full or gone. */
  #write(bytes: Uint8Array): number {
    if (this.#terminal === undefined) return 0;
    try {
      return writeSync(this.#terminal.master, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") this.#release();
      return 0;
    }
  }

  #release(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#unread.length = 0;
    this.#unreadBytes = 0;
    const terminal = this.#terminal;
    if (terminal === undefined) return;
    this.#terminal = undefined;
    closeSync(terminal.slave);
    terminal.stream.destroy();
  }
}
