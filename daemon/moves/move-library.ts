import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { ifAbsent } from "../../common/machine/absent.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseRecordedMove, type RecordedFrame } from "../../robot/wire/robot/recording.ts";
import { BUILT_IN_MOVES } from "./built-in-moves.ts";
import type { HubMoves } from "./hub-moves.ts";

/** The data set of the moves that come with the daemon. */
const BUILT_IN = "built-in";

const NAME = /^[A-Za-z0-9][\w.-]{0,95}$/;
/** Four minutes with 100 targets per second. */
const MAX_BYTES = 10_000_000;

type Frames = readonly [RecordedFrame, ...RecordedFrame[]];

interface MoveLibraryParts {
  /** The folder of the data sets, `OWNER/NAME` or `NAME` below it. */
  folder: string;
  /** Fetches a data set of the hub into a folder. */
  hub: Pick<HubMoves, "fetch">;
  /** Folders with installed Python packages. */
  sitePackages(): Promise<readonly string[]>;
}

/**
 * Recorded moves by data set: the built-in ones, folders below `moves` in the data folder, data sets of the hub, which are
 * fetched into such a folder, and Python packages of the apps' environment. Each move is a JSON file, as in the public
 * libraries of moves.
 */
export class MoveLibrary {
  readonly #parts: MoveLibraryParts;
  readonly #parsing = new SerialQueue();

  constructor(parts: MoveLibraryParts) {
    this.#parts = parts;
  }

  /** The names of a data set's moves. @throws WorkbenchError `move-not-found` for an unknown data set, `hub-unreachable` */
  async list(dataset: string): Promise<string[]> {
    if (dataset === BUILT_IN) return Object.keys(BUILT_IN_MOVES);
    return [...(await this.#files(dataset)).keys()];
  }

  /**
   * The frames of a recorded move.
   * @param signal aborts when nobody waits for them any more
   * @throws WorkbenchError `move-not-found` for an unknown data set or move, `bad-request` for a file that is no move,
   *   `hub-unreachable`
   */
  async frames(dataset: string, name: string, signal?: AbortSignal): Promise<Frames> {
    const [first, ...rest] = await this.#read(dataset, name, signal);
    if (first === undefined) throw new WorkbenchError("bad-request", `${name} has no frames.`);
    return [first, ...rest];
  }

  async #read(dataset: string, name: string, signal?: AbortSignal): Promise<RecordedFrame[]> {
    const builtIn = dataset === BUILT_IN ? BUILT_IN_MOVES[name] : undefined;
    if (builtIn !== undefined) return builtIn();
    const file = dataset === BUILT_IN ? undefined : (await this.#files(dataset)).get(name);
    if (file === undefined) {
      const names = (await this.list(dataset)).join(", ");
      throw new WorkbenchError("move-not-found", `${dataset} has no move ${JSON.stringify(name)}; it has ${names}.`);
    }
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw new WorkbenchError("bad-request", `${file} has more than ${MAX_BYTES / 1e6} MB.`);
    return this.#parse(file, name, signal);
  }

  /** One file after another, because they are large. */
  #parse(file: string, name: string, signal?: AbortSignal): Promise<RecordedFrame[]> {
    const pause = async (): Promise<void> => {
      await setImmediate();
      signal?.throwIfAborted();
    };
    return this.#parsing.run(async () => {
      signal?.throwIfAborted();
      return parseRecordedMove(await readFile(file, "utf8"), name, pause);
    });
  }

  /** The files of a data set's moves, by name. */
  async #files(dataset: string): Promise<Map<string, string>> {
    const parts = dataset.split("/");
    const isName = parts.length <= 2 && parts.every((part) => NAME.test(part));
    if (!isName) throw notFound(dataset, this.#parts.folder);
    const folder = path.join(this.#parts.folder, ...parts);
    const own = await movesIn([folder, path.join(folder, "data")]);
    if (own.size > 0) return own;
    if (parts.length === 2) {
      await this.#parts.hub.fetch(dataset, folder);
      return movesIn([folder, path.join(folder, "data")]);
    }
    const installed = (await this.#parts.sitePackages()).map((each) => path.join(each, dataset.replaceAll("-", "_")));
    const found = await movesIn(
      installed.flatMap((each) => ["", "data", "moves"].map((below) => path.join(each, below))),
    );
    if (found.size > 0) return found;
    throw notFound(dataset, this.#parts.folder);
  }
}

/** The JSON files of folders, by their names without the ending. */
async function movesIn(folders: readonly string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const folder of folders)
    for (const name of (await readdir(folder).catch(ifAbsent<string[]>([]))).sort())
      if (name.endsWith(".json")) files.set(name.slice(0, -".json".length), path.join(folder, name));
  return files;
}

function notFound(dataset: string, folder: string): WorkbenchError {
  const next = `Put JSON files into ${path.join(folder, "OWNER", "NAME")}, or use a data set of the hub or ${BUILT_IN}.`;
  return new WorkbenchError("move-not-found", `There are no moves ${JSON.stringify(dataset)} here. ${next}`);
}
