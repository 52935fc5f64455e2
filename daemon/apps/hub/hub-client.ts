import { z } from "zod";
import { BodyTooLargeError } from "../../../common/bounded-response.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { DatasetAnswer, SpaceAnswer, TreeEntryAnswer, UserAnswer } from "../../../robot/wire/hub/hub-answers.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import { HUB_BOUNDS, type HubBounds, HubStatusError, readFile, readJson, request, unusable } from "./hub-request.ts";

export interface HubOptions {
  /** Address of the hub, for example `https://huggingface.co`. */
  url: string;
  /** Opens private spaces; sent to the hub only, and never shown. */
  token: string | null;
  /** For tests. Default `HUB_BOUNDS`. */
  bounds?: Partial<HubBounds>;
}

/** What the hub says about a space. */
export type SpaceFacts = z.output<typeof SpaceAnswer>;

/** What is read of a hub: apps are spaces, recorded moves are data sets. */
type RepoType = "space" | "dataset";

/** A file of a space or a data set; `size` in bytes. */
export interface SpaceFile {
  path: string;
  size: number;
}

/** Fields of a space that the hub sends on request only. */
const SPACE_FIELDS = ["private", "likes", "lastModified", "sha", "tags", "cardData"];
const expand = (fields: readonly string[]): string => fields.map((field) => `expand=${field}`).join("&");

/**
 * Reads a hub of spaces, within `HUB_BOUNDS`. Its methods reject with a WorkbenchError, `space-not-found` for a space or data
 * set that does not exist or that the token does not open, `hub-token` for a token that the hub does not know, also where
 * no token is needed, `hub-answer` for an answer that is too large or not one of a hub, and `hub-unreachable` otherwise; or
 * with the signal's reason.
 */
export class HubClient {
  /** Without a slash at the end. */
  readonly url: string;
  readonly bounds: HubBounds;
  #token: string | null;
  #user: string | null = null;
  #accountChanges = 0;

  constructor({ url, token, bounds }: HubOptions) {
    this.bounds = { ...HUB_BOUNDS, ...bounds };
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
    try {
      const { name } = await this.#info("/api/whoami-v2", UserAnswer, "the user of a token", signal, token);
      this.#token = token;
      this.#user = name;
      this.#accountChanges += 1;
      return name;
    } catch (error) {
      // No HTTP header can hold some texts; a request that got no answer has a cause.
      const isNoHeader = error instanceof TypeError && error.cause === undefined;
      const isRefused = error instanceof HubStatusError && [400, 401, 403].includes(error.status);
      if (!signal.aborted && (isNoHeader || isRefused)) {
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

  /** All spaces with a tag, however many pages there are; those that the daemon cannot install are left out. */
  async *spacesWith(tag: string, signal: AbortSignal): AsyncGenerator<SpaceFacts> {
    const what = "the list of spaces";
    const path = `/api/spaces?limit=500&filter=${encodeURIComponent(tag)}&${expand(SPACE_FIELDS)}`;
    try {
      for await (const page of this.#pages(path, what, this.bounds.spaces, signal)) {
        const spaces = page.flatMap((item) => SpaceAnswer.safeParse(item).data ?? []);
        // One space that says nonsense does not hide the others; a hub that does is no hub.
        if (spaces.length === 0 && page.length > 0) parseOrThrow(SpaceAnswer, page[0], what, { code: "hub-answer" });
        yield* spaces;
      }
    } catch (error) {
      throw this.#toHubError(error, signal, what, []);
    }
  }

  async space(id: string, signal: AbortSignal): Promise<SpaceFacts> {
    try {
      return await this.#info(`/api/spaces/${id}/revision/HEAD?${expand(SPACE_FIELDS)}`, SpaceAnswer, id, signal);
    } catch (error) {
      throw this.#toHubError(error, signal, id);
    }
  }

  /** Id of the newest commit of a data set. */
  async datasetCommit(id: string, signal: AbortSignal): Promise<string> {
    const what = `data set ${id}`;
    try {
      return (await this.#info(`/api/datasets/${id}/revision/HEAD?expand=sha`, DatasetAnswer, what, signal)).sha;
    } catch (error) {
      throw this.#toHubError(error, signal, what);
    }
  }

  /** The files of a space or data set at a commit, folders left out. */
  async files(id: string, sha: string, signal: AbortSignal, type: RepoType = "space"): Promise<SpaceFile[]> {
    const what = `the files of ${id}`;
    const files: SpaceFile[] = [];
    try {
      const path = `/api/${type}s/${id}/tree/${sha}?recursive=true&expand=false`;
      for await (const page of this.#pages(path, what, this.bounds.files, signal)) {
        const entries = parseOrThrow(z.array(TreeEntryAnswer), page, what, { code: "hub-answer" });
        for (const { type: kind, path, size } of entries) if (kind === "file") files.push({ path, size });
      }
      return files;
    } catch (error) {
      throw this.#toHubError(error, signal, id);
    }
  }

  /**
   * The content of a file at a commit, piece by piece; large ones come from where the hub sends us. It has as many bytes
   * as the list of files says.
   */
  async *content(
    id: string,
    sha: string,
    { path, size }: SpaceFile,
    signal: AbortSignal,
    type: RepoType = "space",
  ): AsyncGenerator<Uint8Array> {
    const what = `${id}/${path}`;
    try {
      const address = `${this.addressOf(id, type)}/resolve/${sha}/${path.split("/").map(encodeURIComponent).join("/")}`;
      const { fileMs: timeoutMs, stallMs, bytesPerSecond } = this.bounds;
      const get = (stop: AbortSignal) =>
        request(new URL(address), { ...this.#access, signal: AbortSignal.any([signal, stop]), timeoutMs });
      yield* readFile(get, { url: this.url, what, size, stallMs, bytesPerSecond });
    } catch (error) {
      throw this.#toHubError(error, signal, what);
    }
  }

  get #access() {
    return { url: this.url, token: this.#token };
  }

  /** One description. @param token instead of the one in use */
  async #info<T extends z.ZodType>(
    path: string,
    schema: T,
    what: string,
    signal: AbortSignal,
    token = this.#token,
  ): Promise<z.output<T>> {
    const { answerMs: timeoutMs, infoBytes } = this.bounds;
    const response = await request(new URL(this.url + path), { url: this.url, token, signal, timeoutMs });
    return parseOrThrow(schema, await readJson(response, infoBytes, this.url, what), what, { code: "hub-answer" });
  }

  /** The pages of a list, each parsed before the next one is asked for. */
  async *#pages(path: string, what: string, maxItems: number, asked: AbortSignal): AsyncGenerator<unknown[]> {
    const { answerMs: timeoutMs, listMs, pageBytes, pages } = this.bounds;
    const signal = AbortSignal.any([asked, AbortSignal.timeout(listMs)]);
    let next: string | undefined = this.url + path;
    let items = 0;
    for (let page = 0; next !== undefined; page += 1) {
      if (page >= pages) throw unusable(this.url, `${what} has more than ${pages} pages`);
      const response = await request(new URL(next), { ...this.#access, signal, timeoutMs });
      const body = await readJson(response, pageBytes, this.url, what);
      const list = parseOrThrow(z.array(z.unknown()), body, what, { code: "hub-answer" });
      items += list.length;
      if (items > maxItems) throw unusable(this.url, `${what} has more than ${maxItems} entries`);
      yield list;
      next = nextPage(response.headers.get("link"));
    }
  }

  /** @param missing the statuses with which the hub says that there is no such thing, or none for this token */
  #toHubError(
    error: unknown,
    signal: AbortSignal,
    what: string,
    missing: readonly number[] = [401, 403, 404],
  ): unknown {
    if (signal.aborted) return signal.reason;
    if (error instanceof WorkbenchError) return error;
    if (error instanceof BodyTooLargeError) return unusable(this.url, `${what} has ${error.message}`);
    const status = error instanceof HubStatusError ? error.status : 0;
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

/** The address of the next page in a header such as `<https://hub/api/spaces?cursor=…>; rel="next"`. */
function nextPage(link: string | null): string | undefined {
  const address = /<([^>]+)>;\s*rel="next"/.exec(link ?? "")?.[1];
  return address !== undefined && URL.canParse(address) ? address : undefined;
}

/** `fetch` hides what really happened in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "it took too long";
  const { code, message = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message;
}
