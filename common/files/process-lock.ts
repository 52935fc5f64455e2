import { randomBytes, randomInt } from "node:crypto";
import { existsSync, readlinkSync, realpathSync } from "node:fs";
import { lstat, readdir, rm, rmdir, symlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { pid as ownPid } from "node:process";
import { ifAbsent } from "../machine/absent.ts";
import { isDiskFull } from "./disk-full.ts";
import { ensureFolder } from "./make-folder.ts";
import { sha256 } from "./sha256.ts";

/** A lock that this process holds. */
export interface ProcessLock {
  /** Replaces the text that other processes read about the holder. */
  note(text: string): Promise<void>;
  /** Releases the lock; does nothing the second time. */
  release(): Promise<void>;
}

/** Another process that holds the lock. */
export interface LockHolder {
  /** Null for a process that does not answer, and for one of another container, whose number means nothing here. */
  pid: number | null;
  /** The text that it left about itself; empty when it does not answer. */
  note: string;
}

/** What a holder answers to everyone who connects. */
interface Answer {
  pid: number;
  pidSpace: string;
  note: string;
  /** False while it is still looking for others. */
  isHolder: boolean;
}

/** Two processes that come at the same moment both back off, each for a time of its own, and try again. */
const ATTEMPTS = 6;
const backoffMs = (): number => randomInt(10, 200);
/** Time for a holder to say who it is. One that does not answer holds the lock all the same. */
const ANSWER_MS = 1000;
/** Bytes of a socket's path that all systems take; sun_path of unix(7) and of macOS. */
const MAX_SOCKET_PATH = 100;
/** What connecting to a socket says when no process listens on it. */
const NOBODY = new Set(["ECONNREFUSED", "ENOENT", "ENOTSOCK"]);
/** What a file system without sockets, or a full one, says. */
const NO_SOCKETS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "ENOSPC", "EDQUOT"]);

/**
 * Acquires a lock that one process at a time can hold. Each process listens on a Unix socket of its own in the lock folder
 * and then looks for sockets of others, so two processes never both hold the lock. The kernel ends a socket with its
 * process, whatever ends that, and answers for it also across containers that share the folder: neither pids nor clocks
 * are compared. The file of a socket that nobody listens on is stale, and any process may remove it.
 *
 * Where a file system has no sockets or no room, they are in the folder for temporary files: the lock is one of this
 * machine then.
 *
 * @param folder folder of the sockets; it exists only while a process holds the lock
 * @param note text for other processes
 * @returns the lock, or the process that holds it
 * @throws Error of the file system
 */
export async function acquireLock(folder: string, note: string): Promise<ProcessLock | LockHolder> {
  for (let attempt = 1; ; attempt += 1) {
    const lock = await SocketLock.listen(folder, note);
    const other = await otherHolderIn([folder, substituteOf(folder)], lock.file);
    if (other === null) {
      lock.isHolder = true;
      return lock;
    }
    await lock.release();
    if (other.isHolder || attempt === ATTEMPTS) return holderOf(other);
    await new Promise((resolve) => setTimeout(resolve, backoffMs()));
  }
}

export const isAcquired = (result: ProcessLock | LockHolder): result is ProcessLock => "release" in result;

/** Names a holder for people, at the begin of a sentence. */
export const holderName = ({ pid }: Pick<LockHolder, "pid">): string =>
  pid === null ? "A program in another container" : `Process ${pid}`;

class SocketLock implements ProcessLock {
  /** The socket's file; null where there is no room for one: others cannot write to that disk either. */
  readonly file: string | null;
  isHolder = false;
  readonly #server: Server;
  #note: string;

  private constructor(file: string | null, server: Server, note: string) {
    this.file = file;
    this.#server = server;
    this.#note = note;
    server.on("connection", (socket) => {
      socket.on("error", () => {});
      const { isHolder } = this;
      const answer: Answer = { pid: ownPid, pidSpace: pidSpace(), note: this.#note, isHolder };
      socket.end(JSON.stringify(answer));
    });
    server.unref();
  }

  static async listen(folder: string, note: string): Promise<SocketLock> {
    const server = createServer();
    for (const place of [folder, substituteOf(folder)]) {
      try {
        return new SocketLock(await listenIn(place, server), server, note);
      } catch (error) {
        if (!NO_SOCKETS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
        if (place !== folder && !isDiskFull(error)) throw error;
      }
    }
    return new SocketLock(null, server, note);
  }

  async note(text: string): Promise<void> {
    this.#note = text;
  }

  async release(): Promise<void> {
    if (this.#server.listening) this.#server.close();
    if (this.file === null) return;
    await rm(this.file, { force: true });
    await rmdir(path.dirname(this.file)).catch(() => undefined);
  }
}

/** Listens on a new socket in a folder. @returns its file */
async function listenIn(folder: string, server: Server): Promise<string> {
  const file = path.join(folder, `${randomBytes(6).toString("hex")}.sock`);
  for (;;) {
    await removeFile(folder);
    ensureFolder(folder);
    try {
      await withShortPath(file, (short) => listenOn(short, server));
      return file;
    } catch (error) {
      // Another process released the lock and removed the folder in between.
      if (existsSync(folder)) throw error;
    }
  }
}

/** Removes what is no folder from the place of the lock folder. */
async function removeFile(folder: string): Promise<void> {
  const found = await lstat(folder).catch(ifAbsent(null));
  if (found !== null && !found.isDirectory()) await rm(folder, { force: true });
}

function listenOn(file: string, server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path: file }, () => {
      server.off("error", reject);
      server.on("error", () => {});
      resolve();
    });
  });
}

/** Runs work with a path that is short enough for a socket: over a link to its folder where it is not. */
async function withShortPath<T>(file: string, work: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(file) <= MAX_SOCKET_PATH) return work(file);
  const link = path.join(tmpdir(), `lock-${randomBytes(6).toString("hex")}`);
  await symlink(path.resolve(path.dirname(file)), link);
  try {
    return await work(path.join(link, path.basename(file)));
  } finally {
    await rm(link, { force: true });
  }
}

/** A process that listens on another socket of the folders. Removes the files of those that have ended. */
async function otherHolderIn(folders: readonly string[], own: string | null): Promise<Answer | null> {
  for (const folder of folders) {
    for (const name of await readdir(folder).catch(ifAbsent<string[]>([]))) {
      const file = path.join(folder, name);
      if (file === own) continue;
      const answer = await withShortPath(file, ask);
      if (answer !== "nobody") return answer;
      await rm(file, { recursive: true, force: true });
    }
  }
  return null;
}

const NO_ANSWER: Answer = { pid: 0, pidSpace: "", note: "", isHolder: false };

/** Asks the process that listens on a socket who it is. */
function ask(file: string): Promise<Answer | "nobody"> {
  return new Promise((resolve) => {
    const socket = connect({ path: file });
    let text = "";
    const end = (result: Answer | "nobody"): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setEncoding("utf8");
    socket.setTimeout(ANSWER_MS, () => end(NO_ANSWER));
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("end", () => end(parseAnswer(text)));
    // Any other error, for instance of a socket of another user or one with too many callers, says that it is in use.
    socket.on("error", (error: NodeJS.ErrnoException) => end(NOBODY.has(error.code ?? "") ? "nobody" : NO_ANSWER));
  });
}

function parseAnswer(text: string): Answer {
  try {
    return { ...NO_ANSWER, ...(JSON.parse(text) as Partial<Answer> | null) };
  } catch {
    return NO_ANSWER;
  }
}

const holderOf = ({ pid, pidSpace: space, note }: Answer): LockHolder => ({
  pid: pid !== 0 && space === pidSpace() ? pid : null,
  note,
});

/** Identifies the PID namespace of this process; all processes of one have different pids. Empty where there are none. */
function pidSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Where the sockets of a lock are when its own folder takes none. */
function substituteOf(folder: string): string {
  const parent = path.dirname(path.resolve(folder));
  const real = path.join(existsSync(parent) ? realpathSync(parent) : parent, path.basename(folder));
  return path.join(tmpdir(), `robot-locks-${userInfo().uid}`, sha256(real).slice(0, 32));
}
