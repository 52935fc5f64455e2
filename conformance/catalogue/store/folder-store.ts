import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { Attempt, CatalogueVerdict, VerdictKey } from "../catalogue-verdict.ts";
import { keyText } from "../catalogue-verdict.ts";
import { parseAttempt, parseKey, parseVerdict } from "./parse-record.ts";
import type { StartedAttempt, VerdictStore } from "./verdict-store.ts";

const RECORD = "record.json";
/** What `rename` says when the other folder is there and not empty. */
const TAKEN = ["ENOTEMPTY", "EEXIST"];

/**
 * Keeps verdicts in a folder, on one machine or on a file system that several share:
 * `verdicts/AB/KEY/` with the record and its evidence, `attempts/KEY/` and `links/AB/ID.json`. A verdict is written elsewhere and then
 * renamed, which succeeds once. A damaged record is moved to `damaged/`.
 */
export class FolderStore implements VerdictStore {
  readonly #folder: string;
  /** Folder in which verdicts are until they are whole. */
  readonly unfinished: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.unfinished = join(folder, "tmp");
  }

  async get(key: VerdictKey): Promise<CatalogueVerdict | null> {
    const text = await readFile(join(this.evidenceFolder(key), RECORD), "utf8").catch(ifMissing(null));
    if (text === null) return null;
    const verdict = parseVerdict(text);
    if (verdict === null) await this.#setAside(key);
    return verdict;
  }

  /** Moves a damaged record away, with its evidence, so that the app is certified again. */
  async #setAside(key: VerdictKey): Promise<void> {
    const target = join(this.#folder, "damaged", `${keyText(key)}-${randomUUID()}`);
    await mkdir(dirname(target), { recursive: true });
    await rename(this.evidenceFolder(key), target).catch(ifMissing(undefined));
  }

  async put(verdict: CatalogueVerdict, evidence: Readonly<Record<string, Uint8Array>>): Promise<boolean> {
    const written = join(this.unfinished, randomUUID());
    await mkdir(written, { recursive: true });
    try {
      for (const [name, bytes] of Object.entries(evidence)) await writeDurably(join(written, name), bytes);
      await writeDurably(join(written, RECORD), Buffer.from(`${JSON.stringify(verdict)}\n`));
      const target = this.evidenceFolder(verdict.key);
      await mkdir(dirname(target), { recursive: true });
      await rename(written, target);
      await syncFolder(dirname(target));
    } catch (error) {
      if (!TAKEN.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      return false;
    } finally {
      await rm(written, { recursive: true, force: true });
    }
    await rm(this.#attemptsFolder(verdict.key), { recursive: true, force: true });
    return true;
  }

  async forget(key: VerdictKey): Promise<void> {
    // Renamed first: a record that is half deleted would be read.
    const removed = join(this.unfinished, randomUUID());
    await mkdir(dirname(removed), { recursive: true });
    await rename(this.evidenceFolder(key), removed).catch(ifMissing(undefined));
    await rm(removed, { recursive: true, force: true });
    await rm(this.#attemptsFolder(key), { recursive: true, force: true });
  }

  async link(id: string, key: VerdictKey): Promise<void> {
    const file = this.#linkFile(id);
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, `${JSON.stringify(key)}\n`);
  }

  async linked(id: string): Promise<CatalogueVerdict | null> {
    const text = await readFile(this.#linkFile(id), "utf8").catch(ifMissing(null));
    const key = text === null ? null : parseKey(text);
    return key === null ? null : this.get(key);
  }

  async attempts(key: VerdictKey): Promise<Attempt[]> {
    const folder = this.#attemptsFolder(key);
    const names = await readdir(folder).catch(ifMissing([]));
    const written = names.filter((name) => name.endsWith(".json"));
    const texts = await Promise.all(written.map((name) => readFile(join(folder, name), "utf8").catch(ifMissing(null))));
    const found = texts.flatMap((text) => (text === null ? [] : (parseAttempt(text) ?? [])));
    return found.sort((one, other) => one.startedAt.localeCompare(other.startedAt));
  }

  async beginAttempt(key: VerdictKey, attempt: Attempt): Promise<StartedAttempt> {
    const folder = this.#attemptsFolder(key);
    const file = join(folder, `${randomUUID()}.json`);
    const write = async (written: Attempt): Promise<void> => {
      await mkdir(folder, { recursive: true });
      await writeFileAtomic(file, `${JSON.stringify(written)}\n`);
    };
    await write(attempt);
    return { fail: (failure) => write({ ...attempt, failure }), remove: () => rm(file, { force: true }) };
  }

  async writeReport(name: string, text: string): Promise<string> {
    const file = join(this.#folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, text);
    return file;
  }

  readReport(name: string): Promise<string | null> {
    return readFile(join(this.#folder, name), "utf8").catch(ifMissing(null));
  }

  listReports(folder: string): Promise<string[]> {
    return readdir(join(this.#folder, folder)).catch(ifMissing([]));
  }

  /** The folder with the record of a key and its evidence. */
  evidenceFolder(key: VerdictKey): string {
    const name = keyText(key);
    return join(this.#folder, "verdicts", name.slice(0, 2), name);
  }

  #linkFile = (id: string): string => join(this.#folder, "links", id.slice(0, 2), `${id}.json`);
  #attemptsFolder = (key: VerdictKey): string => join(this.#folder, "attempts", keyText(key));
}

/** For `catch`: a value where there is no such file or folder. */
function ifMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
