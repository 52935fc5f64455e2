import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import { type CatalogueVerdict, catalogueVerdict, keyText, type VerdictKey } from "../catalogue-verdict.ts";
import type { Objects } from "./objects.ts";

/**
 * Keeps verdicts, their evidence, and reports: `verdicts/AB/KEY/record.json` with the evidence beside it, and
 * `links/AB/ID.json`. Several processes may use it at the same time. The record is
 * written last, under the condition that there is none, so a key has one verdict. Its evidence has a name of its own, because
 * a verdict that is not kept may be written at the same time. A damaged record is moved to `damaged/`.
 */
export class VerdictStore {
  readonly #objects: Objects;

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** The verdict of a key; null when there is none yet, or when its record is damaged. */
  async get(key: VerdictKey): Promise<CatalogueVerdict | null> {
    const text = await this.#objects.get(recordOf(key));
    if (text === null) return null;
    const verdict = parse(catalogueVerdict, text);
    if (verdict === null) {
      // Moved away, so that the app is certified again.
      await this.#objects.put(`damaged/${keyText(key)}-${randomUUID()}.json`, text);
      await this.#objects.delete(recordOf(key));
    }
    return verdict;
  }

  /**
   * Keeps a verdict, whole or not at all, unless there is one of its key.
   * @param evidence files by name
   * @returns whether this is the verdict that is kept
   */
  async put(verdict: CatalogueVerdict, evidence: Readonly<Record<string, Uint8Array>>): Promise<boolean> {
    const { key } = verdict;
    const id = randomUUID();
    const written = Object.entries(evidence).map(([name, bytes]) => ({
      name: `${folderOf(key)}/${id}-${name}`,
      bytes,
    }));
    for (const { name, bytes } of written) await this.#objects.put(name, bytes);
    const record = `${JSON.stringify({ ...verdict, evidence: written.map(({ name }) => name) })}\n`;
    const isNew = await this.#objects.put(recordOf(key), record, true);
    // A write whose answer was lost is tried again, and then finds itself.
    const isKept = isNew || (await this.#objects.get(recordOf(key))) === record;
    if (!isKept) for (const { name } of written) await this.#objects.delete(name);
    return isKept;
  }

  /**
   * Notes under an id of one's own which verdict is that of an app, for those who do not know the digest of its files.
   * The same id always has the same key.
   */
  async link(id: string, key: VerdictKey): Promise<void> {
    await this.#objects.put(linkOf(id), `${JSON.stringify(key)}\n`);
  }

  /** The verdict that was noted under an id; null without one. */
  async linked(id: string): Promise<CatalogueVerdict | null> {
    const key = parse(catalogueVerdict.shape.key, await this.#objects.get(linkOf(id)));
    return key === null ? null : this.get(key);
  }

  /** Writes a report, whole or not at all, in place of an earlier one. @returns where it is, for people */
  async writeReport(name: string, text: string): Promise<string> {
    await this.#objects.put(name, text);
    return this.#objects.addressOf(name);
  }

  /** The text of a report; null when there is none. */
  readReport(name: string): Promise<string | null> {
    return this.#objects.get(name);
  }

  /** Names of the reports in a folder, without it. */
  listReports(folder: string): Promise<string[]> {
    return this.#objects.list(folder);
  }
}

const folderOf = (key: VerdictKey): string => `verdicts/${keyText(key).slice(0, 2)}/${keyText(key)}`;
const recordOf = (key: VerdictKey): string => `${folderOf(key)}/record.json`;
/** An id comes from the queue, and may not lead out of the folder. */
const linkOf = (id: string): string => `links/${asName(id).slice(0, 2)}/${asName(id)}.json`;
const asName = (id: string): string => id.replace(/\W/g, "_");

/** What a text says; null when there is none, or when it is damaged. */
const parse = <Schema extends z.ZodType>(schema: Schema, text: string | null): z.infer<Schema> | null =>
  text === null ? null : (schema.safeParse(jsonOrNull(text)).data ?? null);
