import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import type { z } from "zod";
import type { Clock } from "../../../common/time/clock.ts";
import { type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import { formatForMessage } from "../../../robot/wire/validation/format-for-message.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import { rejectUnknownFields } from "../../../robot/wire/validation/unknown-field.ts";
import type { ConnectionLimits } from "../connections/connection-limits.ts";
import type { UnreadBytes } from "../connections/unread-bytes.ts";
import { limitBody, MAX_BODY_BYTES } from "./body-limit.ts";

/** The validated parts of a request. */
interface RouteCall<Q = unknown, B = unknown> {
  params: Record<string, string>;
  query: Q;
  body: B;
  request: Request;
  response: Response;
  /** Counts the answer as a stream, which has no end; called before it begins. @throws WorkbenchError `too-many-requests` */
  admitStream: () => void;
}

/** A REST route. Validation and the OpenAPI document derive from it. */
export interface Route {
  method: "get" | "post" | "put" | "delete";
  /** Express path; parameters as `:name`. */
  path: string;
  summary: string;
  tag: "apps" | "daemon" | "robot" | "motion" | "audio" | "simulation" | "workshop" | "interface";
  query?: z.ZodType;
  body?: z.ZodType;
  /** Schema of the JSON response; absent when the handler writes the response itself. */
  result?: z.ZodType;
  /** Media types of responses that are not JSON. */
  produces?: readonly string[];
  errors: readonly ErrorCode[];
  /** Refuses requests before their body is read. @throws WorkbenchError */
  guard?: (request: Request) => void;
  /** Bytes of the largest body. Default `MAX_BODY_BYTES`. */
  maxBodyBytes?: number;
  /**
   * Returns the JSON response, the pieces of its text (an async generator of strings), or undefined when the handler has
   * written the response itself.
   */
  handle: (call: RouteCall) => unknown;
}

/** What routes report to, so that their answers stay bounded. */
export interface RouteLimits {
  clock: Clock;
  connections: Pick<ConnectionLimits, "admitStream">;
  unread: Pick<UnreadBytes, "add">;
}

/** A route without what `routesOf` adds. */
interface DeclaredRoute<Q extends z.ZodType, B extends z.ZodType>
  extends Omit<Route, "method" | "path" | "tag" | "query" | "body" | "errors" | "handle"> {
  query?: Q;
  body?: B;
  /** None by default. */
  errors?: Route["errors"];
  handle: (call: RouteCall<z.output<Q>, z.output<B>>) => unknown;
}

/** The functions that declare routes of a section of the documentation; they infer the types of body and query. */
export function routesOf(tag: Route["tag"]) {
  const declare =
    (method: Route["method"]) =>
    <Q extends z.ZodType, B extends z.ZodType>(path: string, declared: DeclaredRoute<Q, B>): Route =>
      ({ method, path, tag, errors: [], ...declared }) as unknown as Route;
  return { get: declare("get"), post: declare("post"), put: declare("put"), delete: declare("delete") };
}

/** Adds the routes to a router: validates the request, calls the handler, sends its result as JSON. */
export function addRoutes(router: Router, routes: readonly Route[], limits: RouteLimits): void {
  const jsonUpTo = (limit: number) => [
    limitBody(limits.clock, limit),
    express.json({ limit, strict: false, inflate: false }),
  ];
  const json = jsonUpTo(MAX_BODY_BYTES);
  // Routes that are polled have no parameters; a map finds them faster than Express's list of patterns.
  const fixed = new Map<string, RequestHandler>();
  router.use((request, response, next) => {
    const handler = request.method === "GET" ? fixed.get(request.path) : undefined;
    return handler === undefined ? next() : handler(request, response, next);
  });
  for (const declared of routes) {
    const handler = createHandler(declared, limits);
    const { guard, maxBodyBytes } = declared;
    if (declared.method === "get" && !declared.path.includes(":") && !guard) fixed.set(declared.path, handler);
    const reading = maxBodyBytes === undefined ? json : jsonUpTo(maxBodyBytes);
    const before = [...(guard ? [checkFirst(guard)] : []), ...(declared.body ? [setHelp(declared), ...reading] : [])];
    router[declared.method](declared.path, ...before, handler);
  }
}

const checkFirst =
  (guard: (request: Request) => void): RequestHandler =>
  (request, _response, next) => {
    guard(request);
    next();
  };

/** Returns a sentence that links to the route's documentation. */
const seeDocs = ({ method, path }: Route): string =>
  `See /docs#${method.toUpperCase()}%20${path.replace(/:(\w+)/g, "{$1}")} for its fields.`;

/** Sets the help sentence for errors that the body parser throws before the handler runs. */
const setHelp =
  (declared: Route): RequestHandler =>
  (_request, response, next) => {
    response.locals.route = declared.path;
    response.locals.help = seeDocs(declared);
    next();
  };

const createHandler =
  (declared: Route, { connections, unread }: RouteLimits): RequestHandler =>
  async (request, response) => {
    response.locals.route = declared.path;
    const { query: inQuery, body: inBody } = declared;
    const query = inQuery ? parseOrThrow(inQuery, request.query, "query", { next: seeDocs(declared) }) : undefined;
    const body = inBody ? parseOrThrow(inBody, bodyOf(request), "body", { next: seeDocs(declared) }) : undefined;
    if (inBody) rejectUnknownFields(inBody, request.body, "body");
    const params = request.params as Record<string, string>;
    const admitStream = () => connections.admitStream(request, response);
    const result = await declared.handle({ params, query, body, request, response, admitStream });
    if (isPieces(result)) await sendPieces(response, result, unread);
    else if (result !== undefined) unread.add(sendJson(response, result));
  };

const isPieces = (result: unknown): result is AsyncGenerator<string> =>
  typeof result === "object" && result !== null && Symbol.asyncIterator in result;

/** Sends a long answer piece by piece, so that it is never in memory twice; stops when the connection closes. */
async function sendPieces(response: Response, pieces: AsyncGenerator<string>, unread: RouteLimits["unread"]) {
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.headersSent) {
      if (!response.hasHeader("content-type")) response.setHeader("content-type", "application/json; charset=utf-8");
      response.setHeader("cache-control", "no-store");
    }
    const bytes = Buffer.from(piece);
    response.write(bytes);
    unread.add(bytes.length);
  }
  response.end();
}

/**
 * Does what `response.json` does without its content negotiation, which costs time in routes that are polled.
 * @returns the number of bytes
 */
function sendJson(response: Response, value: unknown): number {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": bytes,
    "cache-control": "no-store",
  });
  response.end(text);
  return bytes;
}

function bodyOf({ body, headers }: Request): unknown {
  if (body !== undefined) return body;
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return {};
  const given = formatForMessage(headers["content-type"] ?? "missing");
  const next = 'Send JSON with "Content-Type: application/json" (curl -H "Content-Type: application/json" -d ...).';
  throw new WorkbenchError(
    "bad-request",
    `The Content-Type of the body is ${given}; it must be application/json. ${next}`,
  );
}
