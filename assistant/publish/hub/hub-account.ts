import { type CommitOperation, commit, createRepo, HubApiError, spaceInfo, whoAmI } from "@huggingface/hub";
import { z } from "zod";
import { BodyTooLargeError, boundedResponse } from "../../../common/bounded-response.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { UserAnswer } from "../../../robot/wire/hub/hub-answers.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import { LOG_IN_ADVICE } from "./token.ts";

const ANSWER_MS = 30_000;
const COMMIT_MS = 10 * 60_000;
/** Bytes of an answer, decompressed: the hub confirms what was asked, in a few kilobytes. */
const MAX_ANSWER_BYTES = 4_000_000;
/** Characters of the hub's own words in a message. */
const MAX_WORDS = 500;

const ANSWER = { code: "hub-answer", next: "Check --hub-url." } as const;
const CommitAnswer = z.object({ commit: z.object({ oid: z.string() }), pullRequestUrl: z.string().optional() });

/** A hub's account. All methods throw `hub-token`, `hub-unreachable`, `hub-answer`,
 * `publish-refused` or the signal's reason. */
export class HubAccount {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly #signal: AbortSignal;

  constructor(url: string, token: string, signal: AbortSignal) {
    this.url = url;
    this.token = token;
    this.#signal = signal;
  }

  /**
   * The user of the token and their organisations.
   * @throws WorkbenchError `hub-token` also for a token that may only read
   */
  async user(): Promise<{ name: string; organisations: string[] }> {
    const answer = await this.#request("whose token it is", (options) => whoAmI(options));
    const { name, type, orgs = [], auth } = parseOrThrow(UserAnswer, answer, "the user of the token", ANSWER);
    // Hubs other than the public one may leave the organisations out.
    const organisations = type === "user" ? orgs.map((each) => each.name) : [];
    if (auth?.accessToken?.role !== "read") return { name, organisations };
    throw new WorkbenchError("hub-token", `This token of ${name} at ${this.url} may only read. ${LOG_IN_ADVICE}`);
  }

  /** Whether a space is private; null when there is none. */
  async space(id: string): Promise<{ private: boolean } | null> {
    const answer = await this.#request(id, (options) =>
      spaceInfo({ ...options, name: id }).catch((error) => {
        if (error instanceof HubApiError && error.statusCode === 404) return null;
        throw error;
      }),
    );
    return answer && parseOrThrow(z.object({ private: z.boolean() }), answer, id, ANSWER);
  }

  /** Creates a space of static files; the hub adds a first commit. */
  async createSpace(id: string, hidden: boolean): Promise<void> {
    const visibility = hidden ? "private" : "public";
    await this.#request(`to create ${id}`, (options) =>
      createRepo({ ...options, repo: { type: "space", name: id }, sdk: "static", visibility }),
    );
  }

  /**
   * Commits to a space; large files go to the hub's own storage. Returns its id and the address of the pull request.
   * @throws WorkbenchError also `publish-refused` when the space has a newer commit than `parentCommit`
   */
  async commit(
    id: string,
    change: {
      title: string;
      description: string;
      operations: CommitOperation[];
      parentCommit: string | undefined;
      /** Opens a pull request instead of changing the space. */
      isPullRequest?: boolean;
    },
  ): Promise<{ commit: string; pullRequest: string | undefined }> {
    const { parentCommit, ...rest } = change;
    const parent = parentCommit === undefined ? {} : { parentCommit };
    const repo = { type: "space", name: id } as const;
    const made = await this.#request(
      `a commit to ${id}`,
      (options) => commit({ ...options, repo, ...rest, ...parent }),
      COMMIT_MS,
    );
    if (made !== undefined) {
      const { commit, pullRequestUrl } = parseOrThrow(CommitAnswer, made, "the commit", ANSWER);
      return { commit: commit.oid, pullRequest: pullRequestUrl };
    }
    throw new WorkbenchError("publish-refused", `${this.url} did not confirm the commit to ${id}. Try again.`);
  }

  async #request<T>(
    what: string,
    call: (options: { accessToken: string; hubUrl: string; fetch: typeof fetch }) => Promise<T>,
    timeoutMs = ANSWER_MS,
  ): Promise<T> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const within: typeof fetch = (input, init) =>
        fetch(input, { ...init, signal }).then((response) => boundedResponse(response, MAX_ANSWER_BYTES));
      return await call({ accessToken: this.token, hubUrl: this.url, fetch: within });
    } catch (error) {
      this.#signal.throwIfAborted();
      throw this.#toWorkbenchError(error, what);
    }
  }

  #toWorkbenchError(error: unknown, what: string): WorkbenchError {
    const fault = (code: "hub-token" | "hub-unreachable" | "hub-answer" | "publish-refused", detail: string) =>
      new WorkbenchError(code, detail.replaceAll(this.token, "…"), { cause: error });
    if (error instanceof BodyTooLargeError)
      return fault("hub-answer", `The answer of ${this.url} to ${what} has ${error.message}. Check --hub-url.`);
    // The library takes what the hub says as it is: a TypeError or SyntaxError of its own.
    if ((error instanceof TypeError && error.cause === undefined) || error instanceof SyntaxError)
      return fault("hub-answer", `The answer of ${this.url} to ${what} is not that of a hub. Check --hub-url.`);
    if (!(error instanceof HubApiError)) {
      const why = `${this.url} does not answer (${reasonOf(error)})`;
      return fault(
        "hub-unreachable",
        `${why} when asked for ${what}. Check the network and --hub-url, then try again.`,
      );
    }
    const { statusCode } = error;
    const message = error.message.slice(0, MAX_WORDS);
    const answer = `${this.url} answers with ${statusCode} (${message}) when asked for ${what}.`;
    if (statusCode === 401) return fault("hub-token", `${this.url} does not know this token. ${LOG_IN_ADVICE}`);
    if (statusCode === 403) return fault("hub-token", `${answer} ${LOG_IN_ADVICE}`);
    if (statusCode >= 500) return fault("hub-unreachable", `${answer} Try again later.`);
    return fault("publish-refused", `${answer} Fix the problem, or try again later.`);
  }
}

/** The reason of a failed `fetch`, which is in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "it took too long";
  const { code, message = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message;
}
