import { readFile } from "node:fs/promises";
import path from "node:path";
import { hashText } from "../../../edit/apply/apply.ts";
import { DaemonEvents } from "../../../robot/wire/daemon-events.ts";

/** Knows what the daemon's workshop writes: it runs the app again by itself where that is needed. */
export class WrittenFiles {
  readonly #folder: string;
  readonly #hashes = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param data of the daemon's event `workshop`, which comes before the files are written */
  add(data: unknown): void {
    const event = DaemonEvents.shape.workshop.safeParse(data);
    for (const { name, hash } of event.data?.files ?? []) this.#hashes.set(name, hash);
  }

  /** The files that have another text than the workshop wrote last; what it wrote before does not count from then on. */
  async without(files: readonly string[]): Promise<string[]> {
    const others: string[] = [];
    for (const file of files) {
      if (this.#hashes.get(file) === (await this.#hashOf(file))) continue;
      this.#hashes.delete(file);
      others.push(file);
    }
    return others;
  }

  /** Empty for a file that does not exist. */
  #hashOf = (file: string): Promise<string> => readFile(path.join(this.#folder, file)).then(hashText, () => "");
}
