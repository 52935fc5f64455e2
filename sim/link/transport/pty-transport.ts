import { spawnSync } from "node:child_process";
import { closeSync, writeSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { ReadStream } from "node:tty";
import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { MAX_UNREAD_BYTES, type Transport } from "./transport.ts";

/** bit/s of the robot's bus. */
const DEFAULT_BIT_RATE = 1_000_000;
/** Milliseconds until a write to a full terminal is repeated. */
const RETRY_MS = 1;

interface NodePtyBinding {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
}

/** Reads the baud rate of an open terminal, bit/s. */
type ReadBaudRate = (descriptor: number) => Promise<number | null>;

interface SerialBinding {
  asyncGetBaudRate(descriptor: number): Promise<{ baudRate: number }>;
}

/**
 * Opens a pseudo-terminal that drivers open like the robot's serial port.
 *
 * @param path of the device; it must not exist. It becomes a symbolic link, because each `plug` opens another terminal
 * @throws WorkbenchError `usage` where pseudo-terminals are not available
 */
export async function openPtyTransport(path: string): Promise<Transport> {
  const transport = new PtyTransport(path, loadNodePty(), loadReadBaudRate());
  await transport.plug();
  return transport;
}

/**
 * The function that reads the baud rate that a driver has set; it takes microseconds. Without the serial library, or where
 * the system does not tell, rates are null. It is part of the library's native binding, not of its documented interface.
 */
function loadReadBaudRate(): ReadBaudRate {
  try {
    const serialport = createRequire(import.meta.url).resolve("serialport");
    const binding: SerialBinding = createRequire(serialport)("@serialport/bindings-cpp/dist/load-bindings.js");
    return (descriptor) =>
      binding.asyncGetBaudRate(descriptor).then(
        ({ baudRate }) => baudRate,
        () => null,
      );
  } catch {
    return async () => null;
  }
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

/**
 * Makes bytes pass unchanged, at the robot's bit rate, for a driver that does not configure the device. Node's raw mode would
 * turn LF into CR LF.
 */
function makeRaw(slave: number): void {
  const configure = (...settings: string[]) => spawnSync("stty", settings, { stdio: [slave, "ignore", "ignore"] });
  const { error, status } = configure("raw", "-echo");
  // Not every system has this rate.
  configure(String(DEFAULT_BIT_RATE));
  if (status !== 0) throw new WorkbenchError("usage", "A device path needs the tool stty.", { cause: error });
}

class PtyTransport implements Transport {
  readonly address: string;
  readonly #native: NodePtyBinding;
  readonly #readBaudRate: ReadBaudRate;
  readonly #data = new Emitter<Uint8Array>();
  readonly #unread: Uint8Array[] = [];
  #unreadBytes = 0;
  #retry: NodeJS.Timeout | undefined;
  #terminal: { stream: ReadStream; master: number; slave: number } | undefined;
  #bitRate: number | null = null;
  /** Settles when all chunks have been passed on. */
  #passing: Promise<void> = Promise.resolve();

  constructor(path: string, native: NodePtyBinding, readBaudRate: ReadBaudRate) {
    this.address = path;
    this.#native = native;
    this.#readBaudRate = readBaudRate;
  }

  get bitRate(): number | null {
    return this.#bitRate;
  }

  async plug(): Promise<void> {
    if (this.#terminal !== undefined) return;
    const { master, slave, pty } = this.#native.open(80, 24);
    const stream = new ReadStream(master);
    // The slave stays open here; otherwise the device would disappear when the first driver closes it.
    this.#terminal = { stream, master, slave };
    makeRaw(slave);
    stream.on("data", (chunk) => {
      this.#passing = this.#passing.then(() => this.#pass(chunk, slave));
    });
    stream.on("error", () => this.#release());
    await symlink(pty, this.address);
  }

  /** Passes a chunk on with the rate of this moment: drivers change it between packets. */
  async #pass(chunk: Uint8Array, slave: number): Promise<void> {
    const bitRate = await this.#readBaudRate(slave);
    if (this.#terminal?.slave !== slave) return;
    this.#bitRate = bitRate;
    this.#data.emit(chunk);
  }

  async unplug(): Promise<void> {
    if (this.#terminal === undefined) return;
    this.#release();
    await rm(this.address, { force: true });
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
