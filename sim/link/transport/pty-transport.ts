import { spawnSync } from "node:child_process";
import { closeSync, writeSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { ReadStream } from "node:tty";
import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { MAX_UNREAD_BYTES, type Transport } from "./transport.ts";

/** Milliseconds until a write to a full terminal is repeated. */
const RETRY_MS = 1;

interface NodePtyBinding {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
}

/**
 * Opens a pseudo-terminal that drivers open like the robot's serial port.
 *
 * @param path of the device; it must not exist. It becomes a symbolic link, because each `plug` opens another terminal
 * @throws WorkbenchError `usage` where pseudo-terminals are not available
 */
export async function openPtyTransport(path: string): Promise<Transport> {
  const transport = new PtyTransport(path, loadNodePty());
  await transport.plug();
  return transport;
}

/**
 * node-pty's own `open` also reads the driver's end and loses bytes, so this uses its native binding, which is not part of
 * the documented interface.
 */
function loadNodePty(): NodePtyBinding {
  try {
    const { requireBinary } = createRequire(import.meta.url)("@lydell/node-pty/requireBinary.js");
    return requireBinary("pty.node");
  } catch (cause) {
    const detail =
      "A device path needs the package @lydell/node-pty, which this machine has no build of. Use --tcp PORT instead.";
    throw new WorkbenchError("usage", detail, { cause });
  }
}

/** Makes bytes pass unchanged for a driver that does not configure the device. Node's raw mode would turn LF into CR LF. */
function makeRaw(slave: number): void {
  const { error, status } = spawnSync("stty", ["raw", "-echo"], { stdio: [slave, "ignore", "ignore"] });
  if (status !== 0) throw new WorkbenchError("usage", "A device path needs the tool stty.", { cause: error });
}

class PtyTransport implements Transport {
  readonly address: string;
  readonly #native: NodePtyBinding;
  readonly #data = new Emitter<Uint8Array>();
  readonly #unread: Uint8Array[] = [];
  #unreadBytes = 0;
  #retry: NodeJS.Timeout | undefined;
  #terminal: { stream: ReadStream; master: number; slave: number } | undefined;

  constructor(path: string, native: NodePtyBinding) {
    this.address = path;
    this.#native = native;
  }

  async plug(): Promise<void> {
    if (this.#terminal !== undefined) return;
    const { master, slave, pty } = this.#native.open(80, 24);
    const stream = new ReadStream(master);
    // The slave stays open here; otherwise the device would disappear when the first driver closes it.
    this.#terminal = { stream, master, slave };
    makeRaw(slave);
    stream.on("data", (chunk) => {
      this.#data.emit(chunk);
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
    return this.#data.on(listener);
  }

  send(bytes: Uint8Array): void {
    if (this.#terminal === undefined || this.#unreadBytes + bytes.length > MAX_UNREAD_BYTES) return;
    this.#unread.push(bytes);
    this.#unreadBytes += bytes.length;
    if (this.#retry === undefined) this.#flush();
  }

  /** Writes without the stream, which would block the whole process while a driver does not read. */
  #flush(): void {
    this.#retry = undefined;
    for (let [next] = this.#unread; next !== undefined; [next] = this.#unread) {
      const written = this.#write(next);
      this.#unreadBytes -= written;
      if (written < next.length) {
        this.#unread[0] = next.subarray(written);
        this.#retry = setTimeout(() => this.#flush(), RETRY_MS);
        return;
      }
      this.#unread.shift();
    }
  }

  /** Number of bytes written; 0 when the terminal is full or closed. */
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
