import { appendFile, mkdir, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import type { LogLine } from "../app-events.ts";

/** A file that has grown to this size makes room for a fresh one. */
const MAX_BYTES = 1_000_000;
const OLD_FILES = 3;
/** Characters that wait for a slow disk at most; what comes on top is not kept. */
const MAX_PENDING = 1_000_000;

/** Keeps what each app printed under `<folder>/<app>.log`, with older parts in `.log.1` (newest) to `.log.3`. */
export class LogFiles {
  readonly #folder: string;
  readonly #onError: (reason: string) => void;
  readonly #pending = new Map<string, string>();
  #writing: Promise<void> | null = null;
  #failing = false;

  /** @param onError told once when the disk does not take the log, and again only after it took it meanwhile */
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

  /** The last lines of an app, oldest first, at most `count`. */
  async read(app: string, count: number): Promise<LogLine[]> {
    await this.flush();
    const lines: LogLine[] = [];
    for (let age = 0; age <= OLD_FILES && lines.length < count; age += 1) {
      const text = await readFile(this.#file(app, age), "utf8").catch(() => "");
      lines.unshift(...text.split("\n").flatMap((line) => parseLine(app, line)));
    }
    return count > 0 ? lines.slice(-count) : [];
  }

  /** Settles when all that was written so far is on the disk or was refused by it. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve();
    for (const [app, text] of this.#pending) {
      this.#pending.delete(app);
      await this.#append(app, text).then(
        () => this.#noteSuccess(),
        (error: Error) => this.#noteFailure(error),
      );
    }
    this.#writing = null;
  }

  async #append(app: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const { size } = await stat(this.#file(app, 0)).catch(() => ({ size: 0 }));
    if (size > MAX_BYTES) await this.#rotate(app);
    await appendFile(this.#file(app, 0), text);
  }

  async #rotate(app: string): Promise<void> {
    for (let age = OLD_FILES; age > 0; age -= 1) {
      await rename(this.#file(app, age - 1), this.#file(app, age)).catch(() => {});
    }
  }

  #file(app: string, age: number): string {
    return path.join(this.#folder, age === 0 ? `${app}.log` : `${app}.log.${age}`);
  }

  #noteSuccess(): void {
    this.#failing = false;
  }

  #noteFailure(error: Error): void {
    if (!this.#failing) this.#onError(`The apps' logs cannot be kept: ${error.message}. They go on without.`);
    this.#failing = true;
  }
}

function parseLine(app: string, line: string): LogLine[] {
  const match = /^(\S+) (stdout|stderr|daemon) (.*)$/s.exec(line);
  if (match === null) return [];
  const [, time = "", from, text = ""] = match;
  return [{ time: Date.parse(time), app, from: from as LogLine["from"], text }];
}
