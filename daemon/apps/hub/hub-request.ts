import { BodyTooLargeError, boundedResponse } from "../../../common/bounded-response.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** What the daemon takes from a hub. Bytes are counted as they come, after decompression. */
export const HUB_BOUNDS = {
  /** Bytes of the description of one space, data set or user. */
  infoBytes: 1_000_000,
  /** Bytes of one page of a list, which is parsed at once. */
  pageBytes: 4_000_000,
  /** Pages of a list. */
  pages: 100,
  /** Spaces of a list. */
  spaces: 10_000,
  /** Files of a space or a data set. */
  files: 20_000,
  /** Bytes of all files of an app. */
  appBytes: 2_000_000_000,
  /** Milliseconds for a description or a page. */
  answerMs: 20_000,
  /** Milliseconds for all pages of a list. */
  listMs: 2 * 60_000,
  /** Milliseconds for a file. */
  fileMs: 10 * 60_000,
  /** Milliseconds for all files of an app. */
  appMs: 60 * 60_000,
  /** Milliseconds in which a file must go on by what `bytesPerSecond` brings meanwhile, or end. */
  stallMs: 30_000,
  /** Bytes per second that a file arrives with at least. */
  bytesPerSecond: 10_000,
} as const;
export type HubBounds = { readonly [K in keyof typeof HUB_BOUNDS]: number };

/** The hub answered with a status that is no success. */
export class HubStatusError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Address and token of a hub, and how long one request may take. */
interface HubRequest {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string | null;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Sends a request with a deadline; the token goes to the hub only, also where a list continues at another address. The
 * answer's body is not read.
 *
 * @throws HubStatusError, and whatever `fetch` and the signal throw
 */
export async function request(address: URL, { url, token, signal, timeoutMs }: HubRequest): Promise<Response> {
  if (address.origin !== new URL(url).origin) throw unusable(url, `it points to ${address.origin}`);
  // A redirect to another host goes without it: https://fetch.spec.whatwg.org/#http-redirect-fetch, step 13.
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(address, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  if (response.ok) return response;
  await response.body?.cancel();
  throw new HubStatusError(response.status);
}

/**
 * The JSON of an answer.
 * @throws BodyTooLargeError, WorkbenchError `hub-answer` when it is no JSON
 */
export async function readJson(response: Response, maxBytes: number, url: string, what: string): Promise<unknown> {
  const text = await boundedResponse(response, maxBytes).text();
  try {
    return JSON.parse(text);
  } catch {
    throw unusable(url, `${what} is no JSON`);
  }
}

/** What is known of a file before its bytes come. */
interface FileDownload {
  /** Address of the hub, and the file's name for messages. */
  readonly url: string;
  readonly what: string;
  /** Bytes that the list of files says. */
  readonly size: number;
  readonly stallMs: number;
  readonly bytesPerSecond: number;
}

/**
 * The bytes of a file, exactly as many as its list says. Leaving the loop closes the connection. Only the time that the hub
 * takes counts, not that of the reader.
 *
 * @param get sends the request
 * @throws WorkbenchError `hub-answer` when there are fewer or more, `hub-unreachable` when it is too slow
 */
export async function* readFile(
  get: (stop: AbortSignal) => Promise<Response>,
  { url, what, size, stallMs, bytesPerSecond }: FileDownload,
): AsyncGenerator<Uint8Array> {
  const stop = new AbortController();
  const stalled = () => {
    const why = `${url} has sent ${recent} bytes of ${what} in ${stallMs / 1000} s. Try again.`;
    stop.abort(new WorkbenchError("hub-unreachable", why));
  };
  let [received, recent, left] = [0, 0, stallMs];
  let began = performance.now();
  let timer = setTimeout(stalled, left);
  try {
    for await (const chunk of boundedResponse(await get(stop.signal), size).body ?? []) {
      clearTimeout(timer);
      received += chunk.byteLength;
      recent += chunk.byteLength;
      left -= performance.now() - began;
      if (recent >= (bytesPerSecond * stallMs) / 1000) [recent, left] = [0, stallMs];
      yield chunk;
      began = performance.now();
      timer = setTimeout(stalled, Math.max(0, left));
    }
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw unusable(url, `${what} has more than the ${size} bytes that its list says`);
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  if (received < size) throw unusable(url, `${what} has ${received} bytes, its list says ${size}`);
}

/** An answer that cannot be what a hub says. */
export function unusable(url: string, why: string): WorkbenchError {
  return new WorkbenchError("hub-answer", `The answer of ${url} cannot be used: ${why}. Check --hub-url.`);
}
