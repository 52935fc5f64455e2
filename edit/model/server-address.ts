import { WorkbenchError } from "../../robot/wire/errors.ts";

/** The address of a model server, taken apart. */
export interface ServerAddress {
  /** As messages show it: without credentials and query. */
  shown: string;
  /** The header for the credentials in the address; undefined without. */
  authorization: string | undefined;
  /** What no message may show. */
  secrets: readonly string[];
  /** Addresses where an endpoint such as `models` may be, the likeliest first. */
  endpoints(name: string): readonly string[];
  /** Address of a path beside the interface, such as `/tokenize`. */
  beside(path: string): string;
}

/** An endpoint that somebody has copied with the address. */
const ENDPOINT = /\/(?:chat\/completions|completions|models)$/;
const VERSION = /\/v\d[^/]*(?=\/|$)/;
/** Shorter texts are in words that are no secret. */
const MIN_SECRET = 4;

/**
 * Takes an address apart. The interface is below it: with `/v1`, with a path of its own, or with neither, and a query goes with
 * each request.
 * @throws WorkbenchError `usage` for what is no address of HTTP; the message does not show it
 */
export function serverAddress(text: string): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new WorkbenchError("usage", "The address of the model server must look like http://127.0.0.1:8001.");
  const { origin, search, username, password } = url;
  const base = url.pathname.replace(/\/+$/, "").replace(ENDPOINT, "");
  const at = (path: string) => `${origin}${path}${search}`;
  const [user, secret] = [decoded(username), decoded(password)];
  const written = search
    .slice(1)
    .split("&")
    .map((part) => part.slice(part.indexOf("=") + 1));
  const values = [...written, ...url.searchParams.values(), username, password, user, secret];
  return {
    shown: origin + base,
    authorization:
      user === "" && secret === "" ? undefined : `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`,
    // The longest first: one may be a part of another.
    secrets: values.filter((value) => value.length >= MIN_SECRET).sort((a, b) => b.length - a.length),
    endpoints: (name) => {
      const [plain, versioned] = [at(`${base}/${name}`), at(`${base}/v1/${name}`)];
      return VERSION.test(base) ? [plain, versioned] : [versioned, plain];
    },
    beside: (path) => at(base.replace(/\/v\d[^/]*$/, "") + path),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text without what no message may show. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
