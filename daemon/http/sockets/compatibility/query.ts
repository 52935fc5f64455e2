import type { IncomingMessage } from "node:http";

/** The query of a request's address, by name. */
export function queryOf({ url }: Pick<IncomingMessage, "url">): Record<string, string> {
  return Object.fromEntries(new URL(url ?? "/", "http://localhost").searchParams);
}
