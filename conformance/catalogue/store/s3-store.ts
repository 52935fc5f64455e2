import { randomUUID } from "node:crypto";
import type { Attempt, CatalogueVerdict, VerdictKey } from "../catalogue-verdict.ts";
import { keyText } from "../catalogue-verdict.ts";
import { parseAttempt, parseKey, parseVerdict } from "./parse-record.ts";
import { S3Client, type S3Location } from "./s3-client.ts";
import type { StartedAttempt, VerdictStore } from "./verdict-store.ts";

/**
 * Keeps verdicts in a bucket of an S3-compatible server, with the names of `FolderStore`: `verdicts/AB/KEY/record.json`,
 * `attempts/KEY/ID.json` and `links/AB/ID.json`. The record is written last, under the condition that there is none, so a
 * key has one verdict. Its evidence has a name of its own, because a verdict that is not kept may be written at the same
 * time. A damaged record is moved to `damaged/`.
 */
export class S3Store implements VerdictStore {
  readonly unfinished = null;
  readonly #client: S3Client;
  readonly #address: string;

  /** @param signal ends retries */
  constructor(location: S3Location, signal?: AbortSignal) {
    this.#client = new S3Client(location, signal === undefined ? {} : { signal });
    this.#address = `s3://${location.bucket}/${location.prefix}`;
  }

  async get(key: VerdictKey): Promise<CatalogueVerdict | null> {
    const text = await this.#client.get(recordOf(key));
    if (text === null) return null;
    const verdict = parseVerdict(text);
    if (verdict === null) await this.#setAside(key, text);
    return verdict;
  }

  /** Moves a damaged record away, so that the app is certified again. */
  async #setAside(key: VerdictKey, text: string): Promise<void> {
    await this.#client.put(`damaged/${keyText(key)}-${randomUUID()}.json`, text);
    await this.#client.delete(recordOf(key));
  }

  async put(verdict: CatalogueVerdict, evidence: Readonly<Record<string, Uint8Array>>): Promise<boolean> {
    const id = randomUUID();
    const written = Object.entries(evidence).map(([name, bytes]) => {
      return { object: `${folderOf(verdict.key)}/${id}-${name}`, bytes };
    });
    for (const { object, bytes } of written) await this.#client.put(object, bytes);
    const record = `${JSON.stringify({ ...verdict, evidence: written.map(({ object }) => object) })}\n`;
    const isNew = await this.#client.put(recordOf(verdict.key), record, true);
    // A write whose answer was lost is tried again, and then finds itself.
    const isKept = isNew || (await this.#client.get(recordOf(verdict.key))) === record;
    if (isKept) await this.#empty(attemptsOf(verdict.key));
    else for (const { object } of written) await this.#client.delete(object);
    return isKept;
  }

  async forget(key: VerdictKey): Promise<void> {
    await this.#client.delete(recordOf(key));
    await this.#empty(folderOf(key));
    await this.#empty(attemptsOf(key));
  }

  async link(id: string, key: VerdictKey): Promise<void> {
    await this.#client.put(linkOf(id), `${JSON.stringify(key)}\n`);
  }

  async linked(id: string): Promise<CatalogueVerdict | null> {
    const text = await this.#client.get(linkOf(id));
    const key = text === null ? null : parseKey(text);
    return key === null ? null : this.get(key);
  }

  async attempts(key: VerdictKey): Promise<Attempt[]> {
    const folder = attemptsOf(key);
    const texts = await Promise.all(
      (await this.#client.list(folder)).map((name) => this.#client.get(`${folder}/${name}`)),
    );
    const found = texts.flatMap((text) => (text === null ? [] : (parseAttempt(text) ?? [])));
    return found.sort((one, other) => one.startedAt.localeCompare(other.startedAt));
  }

  async beginAttempt(key: VerdictKey, attempt: Attempt): Promise<StartedAttempt> {
    const object = `${attemptsOf(key)}/${randomUUID()}.json`;
    const write = async (written: Attempt): Promise<void> => {
      await this.#client.put(object, `${JSON.stringify(written)}\n`);
    };
    await write(attempt);
    return { fail: (failure) => write({ ...attempt, failure }), remove: () => this.#client.delete(object) };
  }

  async writeReport(name: string, text: string): Promise<string> {
    await this.#client.put(name, text);
    return `${this.#address}${name}`;
  }

  readReport(name: string): Promise<string | null> {
    return this.#client.get(name);
  }

  listReports(folder: string): Promise<string[]> {
    return this.#client.list(folder);
  }

  async #empty(folder: string): Promise<void> {
    for (const name of await this.#client.list(folder)) await this.#client.delete(`${folder}/${name}`);
  }
}

const folderOf = (key: VerdictKey): string => `verdicts/${keyText(key).slice(0, 2)}/${keyText(key)}`;
const recordOf = (key: VerdictKey): string => `${folderOf(key)}/record.json`;
const attemptsOf = (key: VerdictKey): string => `attempts/${keyText(key)}`;
const linkOf = (id: string): string => `links/${id.slice(0, 2)}/${id}.json`;
