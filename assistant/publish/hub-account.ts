import { createRepo, HubApiError, spaceInfo, whoAmI } from "@huggingface/hub";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { LOG_IN } from "./token.ts";

const ANSWER_MS = 30_000;

/** A hub as the owner of a token sees it. All throws `hub-token`, `hub-unreachable` or `publish-refused`, or the signal's reason. */
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

  /** The name of the account. @throws also when the token may only read */
  async user(): Promise<string> {
    const { name, auth } = await this.#ask("whose token it is", (how) => whoAmI(how));
    if (auth.accessToken?.role !== "read") return name;
    throw new WorkbenchError("hub-token", `This token of ${name} at ${this.url} may only read. ${LOG_IN}`);
  }

  /** Whether a space is private; null when there is none. */
  async space(id: string): Promise<{ private: boolean } | null> {
    return this.#ask(id, (how) =>
      spaceInfo({ ...how, name: id }).catch((error) => {
        if (error instanceof HubApiError && error.statusCode === 404) return null;
        throw error;
      }),
    );
  }

  /** Makes a space of static files. The hub puts a first commit into it. */
  async makeSpace(id: string, hidden: boolean): Promise<void> {
    const visibility = hidden ? "private" : "public";
    await this.#ask(`a space ${id}`, (how) =>
      createRepo({ ...how, repo: { type: "space", name: id }, sdk: "static", visibility }),
    );
  }

  async #ask<T>(
    what: string,
    ask: (how: { accessToken: string; hubUrl: string; fetch: typeof fetch }) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(ANSWER_MS)]);
    try {
      const within: typeof fetch = (input, init) => fetch(input, { ...init, signal });
      return await ask({ accessToken: this.token, hubUrl: this.url, fetch: within });
    } catch (error) {
      this.#signal.throwIfAborted();
      throw this.#explained(error, what);
    }
  }

  #explained(error: unknown, what: string): WorkbenchError {
    const fault = (code: "hub-token" | "hub-unreachable" | "publish-refused", detail: string) =>
      new WorkbenchError(code, detail.replaceAll(this.token, "…"), { cause: error });
    if (!(error instanceof HubApiError)) {
      const why = `${this.url} does not answer (${reasonOf(error)})`;
      return fault(
        "hub-unreachable",
        `${why} when asked for ${what}. Check the network and --hub-url, then try again.`,
      );
    }
    const { statusCode, message } = error;
    const said = `${this.url} answers with ${statusCode} (${message}) when asked for ${what}.`;
    if (statusCode === 401) return fault("hub-token", `${this.url} does not know this token. ${LOG_IN}`);
    if (statusCode === 403) return fault("hub-token", `${said} ${LOG_IN}`);
    if (statusCode >= 500) return fault("hub-unreachable", `${said} Try again later.`);
    return fault("publish-refused", `${said} Mend what it says, or try again later.`);
  }
}

/** `fetch` hides what really happened in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "it took too long";
  const { code, message = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message;
}
