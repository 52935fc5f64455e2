import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type RecordedFrame, RecordedMoveFile } from "../../robot/wire/robot/recording.ts";
import { parseJson } from "../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { BUILT_IN_MOVES } from "./built-in-moves.ts";

/** The data set of the moves that come with the daemon. */
export const BUILT_IN = "built-in";

const NAME = /^[A-Za-z0-9][\w.-]{0,95}$/;
const MAX_BYTES = 50_000_000;

export type Frames = readonly [RecordedFrame, ...RecordedFrame[]];

/**
 * Recorded moves by data set: the built-in ones, and folders below `moves` in the data folder, which hold one JSON file a
 * move, as the public libraries of moves do.
 */
export class MoveLibrary {
  readonly #folder: string;

  /** @param folder the folder of the data sets, `OWNER/NAME` or `NAME` below it */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws WorkbenchError `move-not-found` for an unknown data set */
  async list(dataset: string): Promise<string[]> {
    if (dataset === BUILT_IN) return Object.keys(BUILT_IN_MOVES);
    return [...(await this.#files(dataset)).keys()];
  }

  /** @throws WorkbenchError `move-not-found` for an unknown data set or move, `bad-request` for a file that is no move */
  async frames(dataset: string, name: string): Promise<Frames> {
    const [first, ...rest] = await this.#read(dataset, name);
    if (first === undefined) throw new WorkbenchError("bad-request", `${name} has no frames.`);
    return [first, ...rest];
  }

  async #read(dataset: string, name: string): Promise<RecordedFrame[]> {
    const builtIn = dataset === BUILT_IN ? BUILT_IN_MOVES[name] : undefined;
    if (builtIn !== undefined) return builtIn();
    const file = dataset === BUILT_IN ? undefined : (await this.#files(dataset)).get(name);
    if (file === undefined) {
      const names = (await this.list(dataset)).join(", ");
      throw new WorkbenchError("move-not-found", `${dataset} has no move ${JSON.stringify(name)}; it has ${names}.`);
    }
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw new WorkbenchError("bad-request", `${file} has more than ${MAX_BYTES / 1e6} MB.`);
    return parseOrThrow(RecordedMoveFile, parseJson(await readFile(file, "utf8"), name), name).frames;
  }

  /** The files of a data set's moves, by name. */
  async #files(dataset: string): Promise<Map<string, string>> {
    const parts = dataset.split("/");
    const isName = parts.length <= 2 && parts.every((part) => NAME.test(part));
    const folder = path.join(this.#folder, ...(isName ? parts : ["-"]));
    const files = new Map<string, string>();
    for (const each of [folder, path.join(folder, "data")])
      for (const name of (await readdir(each).catch(() => [])).sort())
        if (name.endsWith(".json")) files.set(name.slice(0, -".json".length), path.join(each, name));
    if (files.size > 0) return files;
    const next = `Put its JSON files into ${folder}, or use the data set ${BUILT_IN}.`;
    throw new WorkbenchError("move-not-found", `There are no moves ${JSON.stringify(dataset)} here. ${next}`);
  }
}
