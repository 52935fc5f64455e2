import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { sleep } from "../../common/time/clock.ts";
import type { ProcessClock } from "./clocks.ts";

/** Milliseconds that an operation takes: mostly, and now and then. */
const [USUAL_MS, SLOW_MS] = [0.5, 200] as const;
const SLOW_SHARE = 0.003;

/** Operations by path, of `fs/promises` and by callback, and of open files. */
const BY_PATH = [
  ...["appendFile", "chmod", "chown", "lstat", "mkdir", "mkdtemp", "open", "readFile", "readdir", "realpath"],
  ...["rename", "rm", "rmdir", "stat", "symlink", "unlink", "writeFile"],
] as const;
const BY_DESCRIPTOR = ["close", "fsync", "write"] as const;
/** Those that a full disk refuses. */
const NEEDS_ROOM: readonly string[] = ["appendFile", "mkdir", "mkdtemp", "write", "writeFile"];

type Operation = (...args: unknown[]) => unknown;
const functionsOf = (of: object) => of as Record<string, Operation>;

/**
 * The disk of the simulated machine: a folder of this one. What a process does in it takes time of the process's clock, so
 * that the order in which operations end is the same each time, and may fail for want of room. Works on Node's own functions
 * of files; those for other folders are as always.
 */
export class VirtualDisk {
  readonly folder: string;
  isFull = false;
  /** Operations that are under way. */
  pending = 0;
  #clock: ProcessClock | null = null;
  #mounts = 0;
  readonly #random: () => number;
  readonly #descriptors = new Set<unknown>();
  readonly #originals: { of: object; name: string; original: Operation }[] = [];

  constructor(folder: string, random: () => number) {
    this.folder = folder;
    this.#random = random;
    for (const name of BY_PATH) {
      const run = (args: unknown[]) => this.#run(name, args);
      const isOurs = ([file]: unknown[]) => typeof file === "string" && file.startsWith(folder);
      this.#replace(fs.promises, name, isOurs, async (...args) => {
        const result = await run(args);
        return name === "open" ? this.#handle(result as number) : result;
      });
      if (name in fs) this.#replaceCallback(name, isOurs);
    }
    for (const name of BY_DESCRIPTOR) this.#replaceCallback(name, ([file]) => this.#descriptors.has(file));
    syncBuiltinESMExports();
  }

  /** What is on the disk. */
  get content(): string {
    return path.join(this.folder, "data");
  }

  /**
   * Lets a process use the disk; what another one has begun is not answered.
   * @returns the content by a name of its own: write-file-atomic remembers in this process what is being written
   */
  mount(clock: ProcessClock): string {
    this.#clock = clock;
    this.pending = 0;
    this.#mounts += 1;
    const name = path.join(this.folder, `mount-${this.#mounts}`);
    fs.symlinkSync(this.content, name);
    return name;
  }

  /** Gives Node its functions back, and removes the folder. */
  remove(): void {
    for (const { of, name, original } of this.#originals) functionsOf(of)[name] = original;
    syncBuiltinESMExports();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  async #run(name: string, args: unknown[]): Promise<unknown> {
    const clock = this.#clock;
    if (clock === null) return this.#perform(name, args);
    this.pending += 1;
    await sleep(clock, this.#random() < SLOW_SHARE ? SLOW_MS * this.#random() : USUAL_MS * this.#random());
    this.pending -= 1;
    return this.#perform(name, args);
  }

  #perform(name: string, args: unknown[]): unknown {
    if (this.isFull && NEEDS_ROOM.includes(name))
      throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: "ENOSPC" });
    // A process that is killed loses nothing that it has written.
    if (name === "fsync") return undefined;
    const result = functionsOf(fs)[`${name}Sync`]?.(...args);
    if (name === "open") this.#descriptors.add(result);
    if (name === "close") this.#descriptors.delete(args[0]);
    return result;
  }

  /** What the daemon uses of a `FileHandle`. */
  #handle(file: number) {
    return {
      stat: () => this.#run("fstat", [file]),
      readFile: (options: unknown) => this.#run("readFile", [file, options]),
      sync: () => this.#run("fsync", [file]),
      close: () => this.#run("close", [file]),
    };
  }

  #replaceCallback(name: string, isOurs: (args: unknown[]) => boolean): void {
    this.#replace(fs, name, isOurs, (...args) => {
      const done = args.pop() as (error: unknown, result?: unknown) => void;
      this.#run(name, args).then(
        (result) => done(null, result),
        (error) => done(error),
      );
    });
  }

  #replace(of: object, name: string, isOurs: (args: unknown[]) => boolean, ours: Operation): void {
    const original = functionsOf(of)[name] as Operation;
    this.#originals.push({ of, name, original });
    functionsOf(of)[name] = (...args: unknown[]) => (isOurs(args) ? ours(...args) : original.apply(of, args));
  }
}
