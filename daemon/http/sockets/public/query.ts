import type { IncomingMessage } from "node:http";

/** The query of a request's address, by name. */
export function queryOf({ url }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URL(url ?? "/", "http://localhost").searchParams);
}
