import { constants } from "node:fs";
import { appendFile, mkdir, readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { ifAbsent, ifUnusable } from "../../../common/machine/absent.ts";
import { readRegularBytes } from "../../../common/machine/read-if-present.ts";
import type { LogLine } from "../../../robot/wire/apps/app-events.ts";

/** A file of this size is renamed, and a new one begun. */
const MAX_BYTES = 1_000_000;
const OLD_FILES = 3;
/** Does not wait for a reader where a pipe stands in place of the file. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK;
/** Bytes of a log that are made to lines at a time. */
const PIECE_BYTES = 16_000;
/**
 * Characters of an app that wait for a slow disk at most; further lines are left out of the file. Twice what an app may print
 * at once (OutputLimiter), so that a busy machine loses nothing of that.
 */
const MAX_PENDING = 4_000_000;

/** Writes what each app printed to `<folder>/<app>.log`; older parts are in `.log.1` (newest) to `.log.3`. */
export class LogFiles {
  readonly #folder: string;
  readonly #onError: (reason: string) => void;
  readonly #pending = new Map<string, string>();
  /** Apps that have a log; logs are not deleted. */
  readonly #known = new Set<string>();
  #writing: Promise<void> | null = null;
  #failing = false;
  /** Settles when the last reading that was requested has ended. */
  #reading: Promise<void> = Promise.resolve();

  /** @param onError called when the disk refuses a log, and again only after it took one in between */
  constructor(folder: string, onError: (reason: string) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  write({ time, app, from, text }: LogLine): void {
    const waiting = this.#pending.get(app) ?? "";
    if (waiting.length > MAX_PENDING) return;
    this.#pending.set(app, `${waiting}${new Date(time).toISOString()} ${from} ${text}\n`);
    this.#writing ??= this.#writeAll();
  }

  /** Whether there is a log of an app with exactly this name; also where the disk takes names in any case. */
  async has(app: string): Promise<boolean> {
    if (this.#known.has(app)) return true;
    const names = await readdir(this.#folder).catch(ifAbsent<string[]>([]));
    const isThere = names.includes(path.basename(this.#file(app, 0)));
    if (isThere) this.#known.add(app);
    return isThere;
  }

  /**
   * The last lines of an app, oldest first, at most `count`, in pieces of about 16 KB. Logs are large, so that one is read
   * after another, and the event loop has a turn after each piece.
   * @param onBegin is called right before the log is read
   * @throws the reason of `signal` when it aborts before the last piece
   */
  async *readPieces(
    app: string,
    count: number,
    signal?: AbortSignal,
    onBegin: () => void = () => {},
  ): AsyncGenerator<LogLine[]> {
    const before = this.#reading;
    let end = (): void => {};
    this.#reading = new Promise((resolve) => {
      end = resolve;
    });
    try {
      await before;
      signal?.throwIfAborted();
      onBegin();
      await this.flush();
      for (const part of await this.#tail(app, count))
        for (const text of piecesOf(part)) {
          yield text.split("\n").flatMap((line) => parseLine(app, line));
          await setImmediate();
          signal?.throwIfAborted();
        }
    } finally {
      end();
    }
  }

  /** The last lines of the files of an app, oldest first. */
  async #tail(app: string, count: number): Promise<Buffer[]> {
    const newestFirst: Buffer[] = [];
    for (let age = 0, wanted = count; age <= OLD_FILES && wanted > 0; age += 1) {
      const bytes = await readRegularBytes(this.#file(app, age)).catch(ifUnusable(Buffer.alloc(0)));
      const { lines, from } = lastLines(bytes, wanted);
      newestFirst.push(bytes.subarray(from));
      wanted -= lines;
    }
    return newestFirst.reverse();
  }

  /** Settles when all lines so far are on the disk or were refused by it. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve();
    for (const [app, text] of this.#pending) {
      this.#pending.delete(app);
      try {
        await this.#append(app, text);
        this.#failing = false;
      } catch (error) {
        this.#onFailure(error as Error);
      }
    }
    this.#writing = null;
  }

  async #append(app: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const { size } = await stat(this.#file(app, 0)).catch(ifAbsent({ size: 0 }));
    if (size > MAX_BYTES) await this.#rotate(app);
    await appendFile(this.#file(app, 0), text, { flag: APPEND });
  }

  async #rotate(app: string): Promise<void> {
    for (let age = OLD_FILES; age > 0; age -= 1) {
      await rename(this.#file(app, age - 1), this.#file(app, age)).catch(ifAbsent(undefined));
    }
  }

  #file(app: string, age: number): string {
    return path.join(this.#folder, age === 0 ? `${app}.log` : `${app}.log.${age}`);
  }

  #onFailure(error: Error): void {
    if (!this.#failing) this.#onError(`The apps' logs cannot be written: ${error.message}. The apps run on without.`);
    this.#failing = true;
  }
}

/** Finds the last lines of a file: how many there are, at most `wanted`, and where the first of them begins. */
function lastLines(bytes: Buffer, wanted: number): { lines: number; from: number } {
  let from = bytes.length;
  for (let lines = 0; lines < wanted; lines += 1) {
    if (from === 0) return { lines, from };
    // The line feed that ends a line belongs to it.
    from = from === 1 ? 0 : bytes.lastIndexOf("\n", from - 2) + 1;
  }
  return { lines: wanted, from };
}

/** Texts of whole lines, each of about 16 KB. */
function* piecesOf(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf("\n", from + PIECE_BYTES);
    const to = feed < 0 ? bytes.length : feed + 1;
    yield bytes.toString("utf8", from, to);
    from = to;
  }
}

function parseLine(app: string, line: string): LogLine[] {
  const [, at = "", from, text = ""] = /^(\S+) (stdout|stderr|daemon) (.*)$/s.exec(line) ?? [];
  const time = Date.parse(at);
  return Number.isNaN(time) ? [] : [{ time, app, from: from as LogLine["from"], text }];
}
