import { request as requestHttps } from "node:https";
import type { AppUnderTest } from "../../runner/app/app-under-test.ts";

/** A request to the page of an app. */
interface PageRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
}

/** The address of an app's page at an address of this machine, without a slash at the end. */
export const addressOf = (page: NonNullable<AppUnderTest["page"]>, host = "127.0.0.1"): string =>
  `${new URL(page.url).protocol}//${host}:${page.port}`;

/**
 * Requests something of an app's page. A page with https has a certificate that nobody has signed: it is accepted, because the
 * page is on this machine.
 * @throws Error without an answer
 */
export async function requestPage(url: string, { signal, ...request }: PageRequest): Promise<Response> {
  if (!url.startsWith("https:")) return fetch(url, { ...request, signal });
  const { body, ...options } = request;
  return new Promise((resolve, reject) => {
    const outgoing = requestHttps(url, { ...options, signal, rejectUnauthorized: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("error", reject);
      incoming.once("end", () => {
        const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as [string, string]],
        );
        const status = incoming.statusCode ?? 500;
        resolve(new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers }));
      });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}
