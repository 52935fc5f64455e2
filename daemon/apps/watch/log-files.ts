import { constants } from "node:fs";
import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { readRegularFile } from "../../../common/machine/read-if-present.ts";
import type { LogLine } from "../../../robot/wire/apps/app-events.ts";

/** A file of this size is renamed, and a new one begun. */
const MAX_BYTES = 1_000_000;
const OLD_FILES = 3;
/** Does not wait for a reader where a pipe stands in place of the file. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK;
/** Characters that wait for a slow disk at most; further lines are left out of the file. */
const MAX_PENDING = 1_000_000;

/** Writes what each app printed to `<folder>/<app>.log`; older parts are in `.log.1` (newest) to `.log.3`. */
export class LogFiles {
  readonly #folder: string;
  readonly #onError: (reason: string) => void;
  readonly #pending = new Map<string, string>();
  #writing: Promise<void> | null = null;
  #failing = false;
  #reading: Promise<unknown> = Promise.resolve();

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

  /**
   * The last lines of an app, oldest first, at most `count`. Logs are large, so that one is read after another.
   * @throws the reason of `signal` when it aborts before the turn of this one
   */
  async read(app: string, count: number, signal?: AbortSignal): Promise<LogLine[]> {
    const reading = this.#reading.then(() => {
      signal?.throwIfAborted();
      return this.#read(app, count);
    });
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(app: string, count: number): Promise<LogLine[]> {
    await this.flush();
    const newestFirst: LogLine[] = [];
    for (let age = 0; age <= OLD_FILES && newestFirst.length < count; age += 1) {
      const text = await readRegularFile(this.#file(app, age)).catch(() => "");
      const lines = text.split("\n");
      for (let line = lines.pop(); line !== undefined && newestFirst.length < count; line = lines.pop())
        newestFirst.push(...parseLine(app, line));
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
      await this.#append(app, text).then(
        () => this.#onSuccess(),
        (error: Error) => this.#onFailure(error),
      );
    }
    this.#writing = null;
  }

  async #append(app: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const { size } = await stat(this.#file(app, 0)).catch(() => ({ size: 0 }));
    if (size > MAX_BYTES) await this.#rotate(app);
    await appendFile(this.#file(app, 0), text, { flag: APPEND });
  }

  async #rotate(app: string): Promise<void> {
    for (let age = OLD_FILES; age > 0; age -= 1) {
      await rename(this.#file(app, age - 1), this.#file(app, age)).catch(() => {});
    }
  }

  #file(app: string, age: number): string {
    return path.join(this.#folder, age === 0 ? `${app}.log` : `${app}.log.${age}`);
  }

  #onSuccess(): void {
    this.#failing = false;
  }

  #onFailure(error: Error): void {
    if (!this.#failing) this.#onError(`The apps' logs cannot be written: ${error.message}. The apps run on without.`);
    this.#failing = true;
  }
}

function parseLine(app: string, line: string): LogLine[] {
  const [, at = "", from, text = ""] = /^(\S+) (stdout|stderr|daemon) (.*)$/s.exec(line) ?? [];
  const time = Date.parse(at);
  return Number.isNaN(time) ? [] : [{ time, app, from: from as LogLine["from"], text }];
}
