import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Request, Response } from "express";
import type { Clock } from "../../../common/time/clock.ts";
import { noteSwitched, refuseUpgrade } from "../connections/refuse-upgrade.ts";
import { closeSignalOf } from "../connections/scope.ts";

/** Headers of one connection (RFC 9110, section 7.6.1), those about the daemon's address, and what a page must not learn. */
const NOT_SENT =
  /^(connection|keep-alive|te|trailer|upgrade|expect|proxy-.*|host|origin|referer|cookie|authorization|sec-(?!websocket-).*)$/;
/** Cookies have no port: a page's cookie could take the place of the daemon's. */
const NOT_ANSWERED =
  /^(connection|keep-alive|trailer|transfer-encoding|set-cookie2?|cache-control|x-frame-options|content-security-policy|location)$/;
/** Answers without an end: events, and pictures that replace each other. */
const STREAM = /^(text\/event-stream|multipart\/x-mixed-replace)\b/i;
/** The app runs before its page does: a page that refuses connections is asked again for a while, milliseconds. */
const [RETRY_MS, RETRY_FOR_MS] = [200, 10_000];

/** Where a page is. */
export interface Upstream {
  port: number;
  /** The daemon's token, which the SDK's page asks for on a wireless robot; null without one. */
  token: string | null;
}

interface ForwardOptions {
  /** Called before each attempt, since the app may have ended meanwhile. @throws WorkbenchError when it has no page */
  upstream(): Upstream;
  /** The policy that is added to the page's own one. */
  contentPolicy: string;
  clock: Clock;
  /** Milliseconds without a byte after which an app has no answer, and the client does not read it. */
  timeoutMs: number;
  /** Called when the answer is a stream of events. @throws WorkbenchError when there are too many */
  onStream(): void;
  /** Called with the reason when there is no answer. */
  onFailure(error: Error): void;
}

/** Sends a request to an app's page, and its answer to the client. The answer is never kept in a cache. */
export function forward(request: Request, response: Response, options: ForwardOptions): void {
  ask(request, response, { ...options, closed: closeSignalOf(response) }, 0);
}

interface Attempt extends ForwardOptions {
  /** The client has gone. */
  closed: AbortSignal;
}

function ask(request: Request, response: Response, options: Attempt, tries: number): void {
  const { closed, clock, timeoutMs, onStream, onFailure } = options;
  const hasBody = ["content-length", "transfer-encoding"].some((name) => name in request.headers);
  const fail = (error: NodeJS.ErrnoException): void => {
    const comesUp = error.code === "ECONNREFUSED" && !hasBody && tries * RETRY_MS < RETRY_FOR_MS;
    if (closed.aborted) return;
    if (response.headersSent) response.destroy();
    else if (comesUp) clock.after(RETRY_MS, () => ask(request, response, options, tries + 1));
    else onFailure(error);
  };
  /** The app says what the answer is: whatever that is, it is no error of the daemon. */
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      onFailure(error as Error);
    }
  };
  attempt(() => {
    const upstream = options.upstream();
    const page = httpRequest({ ...target(request, upstream), method: request.method, signal: closed }, (answer) =>
      attempt(() => {
        page.setTimeout(0);
        response.status(answer.statusCode ?? 502);
        if (STREAM.test(answer.headers["content-type"] ?? "")) onStream();
        else response.setTimeout(timeoutMs, () => response.destroy());
        for (const [name, value] of Object.entries(answerHeaders(answer.headers, request.url, upstream, options)))
          if (value !== undefined) response.setHeader(name, value);
        answer.on("error", fail).pipe(response);
      }),
    );
    page.setTimeout(timeoutMs, () => page.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    page.on("upgrade", (_answer, socket) => {
      socket.destroy();
      fail(new Error("it answers with another protocol"));
    });
    page.on("error", fail);
    if (hasBody) request.pipe(page);
    else page.end();
  });
}

const target = ({ url, headers }: IncomingMessage, { port, token }: Upstream) => ({
  host: "localhost",
  port,
  path: url,
  // A connection that is kept open would be that of an app that has ended.
  agent: false,
  headers: {
    ...without(headers, NOT_SENT),
    host: `localhost:${port}`,
    ...(token !== null && { authorization: `Bearer ${token}` }),
  },
});

function answerHeaders(headers: IncomingHttpHeaders, path: string, upstream: Upstream, { contentPolicy }: Attempt) {
  const { location } = headers;
  const own = [headers["content-security-policy"]]
    .flat()
    .map((each) => each?.replace(/frame-ancestors\s[^;,]*;?/gi, "").trim());
  return {
    ...without(headers, NOT_ANSWERED),
    "cache-control": "no-store",
    "content-security-policy": [contentPolicy, ...own.filter((each) => each)] as string[],
    ...(location !== undefined && { location: localLocation(location, path, upstream) }),
  };
}

/**
 * A redirect to the page's own port is one to its address here; any other is as the app says it.
 * @param path that was asked for
 */
export function localLocation(location: string, path: string, { port }: Pick<Upstream, "port">): string {
  const base = `http://localhost:${port}${path}`;
  const to = URL.canParse(location, base) ? new URL(location, base) : null;
  const isPage =
    to !== null &&
    /^https?:$/.test(to.protocol) &&
    Number(to.port) === port &&
    /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(to.hostname);
  if (!isPage) return location;
  // A path that begins with two slashes would name another host (RFC 3986, section 4.2).
  return `${to.pathname.startsWith("//") ? "/." : ""}${to.pathname}${to.search}${to.hash}`;
}

interface UpgradeOptions extends Pick<ForwardOptions, "upstream" | "timeoutMs"> {
  request: IncomingMessage;
  socket: Duplex;
  /** What the client has sent after its request. */
  head: Buffer;
}

/** Connects a WebSocket to an app's page. @throws WorkbenchError what `options.upstream` throws */
export function forwardUpgrade({ request, socket, head, upstream, timeoutMs }: UpgradeOptions): void {
  const { headers, ...to } = target(request, upstream());
  const sent = {
    ...without(headers, /^(content-length|transfer-encoding)$/),
    connection: "Upgrade",
    upgrade: "websocket",
  };
  const page = httpRequest({ ...to, headers: sent });
  page.setTimeout(timeoutMs, () => page.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
  socket.once("close", () => page.destroy());
  page.on("error", (error) => refuseUpgrade(socket, 502, `The page does not answer: ${error.message}.`));
  page.on("response", (answer) => {
    answer.resume();
    refuseUpgrade(socket, answer.statusCode ?? 502, "The page refuses the WebSocket.");
  });
  page.on("upgrade", (answer, other, rest) => {
    page.setTimeout(0);
    const lines = Object.entries(without(answer.headers, /^set-cookie2?$/)).map(([name, value]) => `${name}: ${value}`);
    noteSwitched(socket);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
    socket.write(rest);
    other.write(head);
    for (const [one, another] of [
      [socket, other],
      [other, socket],
    ] as const) {
      one.pipe(another);
      one.on("error", () => another.destroy());
      one.once("close", () => another.destroy());
    }
  });
  page.end();
}

const without = (headers: IncomingHttpHeaders, names: RegExp): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
