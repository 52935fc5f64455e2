import { datasetInfo, HubApiError, listFiles, listSpaces, spaceInfo, whoAmI } from "@huggingface/hub";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

export interface HubOptions {
  /** Address of the hub, for example `https://huggingface.co`. */
  url: string;
  /** Opens private spaces; sent to the hub only, and never shown. */
  token: string | null;
}

/** What the hub says about a space. */
export interface SpaceFacts {
  /** `USER/APP_NAME` */
  id: string;
  private: boolean;
  likes: number;
  lastModified: Date;
  /** Id of the newest commit. */
  sha: string;
  tags: readonly string[];
  /** The YAML head of its README. */
  card: Readonly<Record<string, unknown>>;
}

/** What is read of a hub: apps are spaces, recorded moves are data sets. */
export type RepoType = "space" | "dataset";

/** A file of a space or a data set; `size` in bytes. */
export interface SpaceFile {
  path: string;
  size: number;
}

const FIELDS = ["sha", "tags", "cardData"] as const;
const ANSWER_MS = 20_000;
const DOWNLOAD_MS = 10 * 60_000;

/**
 * Reads a hub of spaces through the hub's own client library. Its methods reject with a WorkbenchError, `space-not-found`
 * for a space or data set that does not exist or that the token does not open, `hub-token` for a token that the hub does not
 * know, also where no token is needed, and `hub-unreachable` otherwise; or with the signal's reason.
 */
export class Hub {
  /** Without a slash at the end. */
  readonly url: string;
  #token: string | null;
  #user: string | null = null;
  #accountChanges = 0;

  constructor({ url, token }: HubOptions) {
    this.url = url.replace(/\/+$/, "");
    this.#token = token || null;
  }

  get hasToken(): boolean {
    return this.#token !== null;
  }

  /** Name of the user who logged in; null for a token from the environment, whose user was not asked for. */
  get user(): string | null {
    return this.#user;
  }

  /** How often a user has logged in or out: another user may see other spaces. */
  get accountChanges(): number {
    return this.#accountChanges;
  }

  /**
   * Uses another token from now on, until the daemon ends; it is not written to the disk.
   * @returns the user's name
   * @throws WorkbenchError `hub-token` when the hub does not know it, `hub-unreachable`; the signal's reason
   */
  async logIn(token: string, signal: AbortSignal): Promise<string> {
    // The library's own header stays, whatever token is in use.
    const ask: typeof fetch = (input, init) =>
      fetch(input, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) });
    try {
      const { name } = await whoAmI({ accessToken: token, hubUrl: this.url, fetch: ask });
      this.#token = token;
      this.#user = name;
      this.#accountChanges += 1;
      return name;
    } catch (error) {
      const isRefused =
        error instanceof TypeError || (error instanceof HubApiError && [400, 401, 403].includes(error.statusCode));
      if (!signal.aborted && isRefused && !isNetworkError(error)) {
        const what = `${this.url} does not know this token; make one under Settings, Access Tokens.`;
        throw new WorkbenchError("hub-token", what, { cause: error });
      }
      throw this.#toHubError(error, signal, "the user of a token", []);
    }
  }

  /** Uses no token from now on. */
  logOut(): void {
    this.#token = null;
    this.#user = null;
    this.#accountChanges += 1;
  }

  /** Address of a space or a data set, for people and for `spaceIdIn`. */
  addressOf(id: string, type: RepoType = "space"): string {
    return `${this.url}/${type}s/${id}`;
  }

  /** All spaces with a tag, however many pages there are. */
  async *spacesWith(tag: string, signal: AbortSignal): AsyncGenerator<SpaceFacts> {
    const wanted = { search: { tags: [tag] }, additionalFields: [...FIELDS] };
    const listing = listSpaces({ ...wanted, hubUrl: this.url, fetch: this.#fetch(signal) });
    try {
      for await (const space of listing) yield factsOf(space);
    } catch (error) {
      throw this.#toHubError(error, signal, "the list of spaces", []);
    }
  }

  async space(id: string, signal: AbortSignal): Promise<SpaceFacts> {
    const wanted = { name: id, additionalFields: [...FIELDS], hubUrl: this.url, fetch: this.#fetch(signal) };
    try {
      return factsOf(await spaceInfo(wanted));
    } catch (error) {
      throw this.#toHubError(error, signal, id);
    }
  }

  /** Id of the newest commit of a data set. */
  async datasetCommit(id: string, signal: AbortSignal): Promise<string> {
    try {
      const wanted = { name: id, additionalFields: ["sha" as const], hubUrl: this.url, fetch: this.#fetch(signal) };
      return (await datasetInfo(wanted)).sha;
    } catch (error) {
      throw this.#toHubError(error, signal, `data set ${id}`);
    }
  }

  /** The files of a space or data set at a commit, folders left out. */
  async files(id: string, sha: string, signal: AbortSignal, type: RepoType = "space"): Promise<SpaceFile[]> {
    const repo = { type, name: id };
    const listing = listFiles({ repo, revision: sha, recursive: true, hubUrl: this.url, fetch: this.#fetch(signal) });
    try {
      const files: SpaceFile[] = [];
      for await (const { type, path, size } of listing) if (type === "file") files.push({ path, size });
      return files;
    } catch (error) {
      throw this.#toHubError(error, signal, id);
    }
  }

  /** The content of a file at a commit, piece by piece; large ones come from where the hub sends us. */
  async *content(
    id: string,
    sha: string,
    file: string,
    signal: AbortSignal,
    type: RepoType = "space",
  ): AsyncGenerator<Uint8Array> {
    const path = file.split("/").map(encodeURIComponent).join("/");
    const address = `${this.addressOf(id, type)}/resolve/${sha}/${path}`;
    try {
      const response = await this.#fetch(signal, DOWNLOAD_MS)(address);
      if (!response.ok) throw new HubApiError(address, response.status);
      if (response.body !== null) yield* response.body as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw this.#toHubError(error, signal, `${id}/${file}`);
    }
  }

  /** A fetch with a deadline that sends the token to the hub only, also where a list continues at another address. */
  #fetch(signal: AbortSignal, deadlineMs = ANSWER_MS): typeof fetch {
    return (input, init = {}) => {
      const address = new URL(String(input));
      if (address.origin !== new URL(this.url).origin) throw new Error(`the hub points to ${address.origin}`);
      const headers = new Headers(init.headers);
      // A redirect to another host goes without it: https://fetch.spec.whatwg.org/#http-redirect-fetch, step 13.
      if (this.#token !== null) headers.set("authorization", `Bearer ${this.#token}`);
      return fetch(address, { ...init, headers, signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]) });
    };
  }

  /** @param missing the statuses with which the hub says that there is no such thing, or none for this token */
  #toHubError(
    error: unknown,
    signal: AbortSignal,
    what: string,
    missing: readonly number[] = [401, 403, 404],
  ): unknown {
    if (signal.aborted) return signal.reason;
    const status = error instanceof HubApiError ? error.statusCode : 0;
    if (status === 401 && this.#token !== null) {
      const why = `${this.url} does not know the token that is in use: it may have expired.`;
      return new WorkbenchError("hub-token", `${why} Log in again, or set HF_TOKEN to another one.`, { cause: error });
    }
    if (missing.includes(status)) {
      const why = this.#token === null ? "or it is private: set HF_TOKEN to open it" : "or it is not for this HF_TOKEN";
      return new WorkbenchError("space-not-found", `There is no ${what} at ${this.url}, ${why}.`, { cause: error });
    }
    const how = status > 0 ? `answers with ${status}` : `does not answer (${reasonOf(error)})`;
    const next = "Check the network and --hub-url, then try again.";
    return new WorkbenchError("hub-unreachable", `${this.url} ${how} when asked for ${what}. ${next}`, {
      cause: error,
    });
  }
}

/** A fetch that got no answer ends with a TypeError, too, but with a cause. */
const isNetworkError = (error: unknown): boolean => error instanceof TypeError && error.cause !== undefined;

function factsOf(space: {
  name: string;
  private: boolean;
  likes: number;
  updatedAt: Date;
  sha: string;
  tags: string[];
  cardData?: unknown;
}): SpaceFacts {
  const { name, likes, updatedAt, sha, tags, cardData } = space;
  const card = typeof cardData === "object" && cardData !== null ? (cardData as Record<string, unknown>) : {};
  return { id: name, private: space.private, likes, lastModified: updatedAt, sha, tags: tags ?? [], card };
}

/** `fetch` hides what really happened in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "it took too long";
  const { code, message = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message;
}
