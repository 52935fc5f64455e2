import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { HubClient, SpaceFile } from "../apps/hub/hub-client.ts";

/** Moves are small files at the top of a data set or in its folder `data`. */
const MOVE = /^(data\/)?[A-Za-z0-9][\w. -]{0,200}\.json$/;
const MAX_MOVES = 2000;
const MAX_BYTES = 300_000_000;
/** Time for all files over a slow network; who asked waits for it. */
const TIMEOUT_MS = 5 * 60_000;
/** Files that are fetched at once. */
const AT_ONCE = 6;

/** Fetches data sets of recorded moves from the hub into folders, each once. */
export class HubMoves {
  readonly #hub: HubClient;
  readonly #closing: AbortSignal;
  readonly #running = new Map<string, Promise<void>>();

  /** @param closing aborts when the daemon shuts down */
  constructor(hub: HubClient, closing: AbortSignal) {
    this.#hub = hub;
    this.#closing = closing;
  }

  /**
   * Fetches all moves of a data set, completely or not at all; requests at the same time share one download.
   * @param folder does not exist yet
   * @throws WorkbenchError `move-not-found` where the hub has no such data set, `hub-unreachable`, `shutting-down`
   */
  fetch(dataset: string, folder: string): Promise<void> {
    const running = this.#running.get(dataset);
    if (running !== undefined) return running;
    const started = this.#fetch(dataset, folder).finally(() => this.#running.delete(dataset));
    this.#running.set(dataset, started);
    return started;
  }

  async #fetch(dataset: string, folder: string): Promise<void> {
    const failed = new AbortController();
    const signal = AbortSignal.any([this.#closing, failed.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const unfinished = path.join(path.dirname(folder), `.unfinished-${path.basename(folder)}`);
    try {
      const sha = await this.#hub.datasetCommit(dataset, signal);
      const files = (await this.#hub.files(dataset, sha, signal, "dataset")).filter(({ path: name }) =>
        MOVE.test(name),
      );
      checkSize(dataset, files);
      await rm(unfinished, { recursive: true, force: true });
      await mkdir(path.join(unfinished, "data"), { recursive: true });
      const waiting = [...files];
      const fetchNext = async (): Promise<void> => {
        for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
          const content = this.#hub.content(dataset, sha, file, signal, "dataset");
          await pipeline(content, createWriteStream(path.join(unfinished, file.path)), { signal });
        }
      };
      const fetching = Array.from({ length: AT_ONCE }, fetchNext);
      await Promise.all(fetching).catch(async (error: unknown) => {
        // No other download may write into the folder while it is removed.
        failed.abort(error);
        await Promise.allSettled(fetching);
        throw error;
      });
      await rename(unfinished, folder);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw toMoveError(error, dataset, signal);
    }
  }
}

function checkSize(dataset: string, files: readonly SpaceFile[]): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length === 0) throw new WorkbenchError("move-not-found", `The data set ${dataset} has no moves.`);
  if (files.length <= MAX_MOVES && bytes <= MAX_BYTES) return;
  const what = `${files.length} moves, ${Math.ceil(bytes / 1e6)} MB`;
  throw new WorkbenchError("bad-request", `The data set ${dataset} is too large (${what}); put some into a folder.`);
}

function toMoveError(error: unknown, dataset: string, signal: AbortSignal): unknown {
  if (error instanceof WorkbenchError && error.code === "space-not-found")
    return new WorkbenchError("move-not-found", error.message, { cause: error });
  if (!signal.aborted || error instanceof WorkbenchError) return error;
  return new WorkbenchError(
    "hub-unreachable",
    `The moves ${dataset} were not there within ${TIMEOUT_MS / 60_000} minutes.`,
  );
}
