import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import type { z } from "zod";
import { type ErrorCode, WorkbenchError } from "../../robot/wire/errors.ts";
import { refuseMisspelt } from "../../robot/wire/misspelt.ts";
import { shown } from "../../robot/wire/shown.ts";
import { validate } from "./validate.ts";

/** What a handler gets: the validated parts of the request. */
export interface Call<P = Record<string, string>, Q = unknown, B = unknown> {
  params: P;
  query: Q;
  body: B;
  request: Request;
  response: Response;
}

/** One route of the REST interface; the OpenAPI document and the validation both derive from it. */
export interface Route {
  method: "get" | "post" | "put" | "delete";
  /** Express path; parameters as `:name`. */
  path: string;
  summary: string;
  tag: "apps" | "daemon" | "robot" | "motion" | "audio" | "simulation" | "interface";
  query?: z.ZodType;
  body?: z.ZodType;
  /** The JSON body of the answer; absent where the handler answers by itself. */
  result?: z.ZodType;
  /** Media types of answers that are not JSON. */
  produces?: readonly string[];
  errors: readonly ErrorCode[];
  /** Returns the JSON body of the answer; undefined when it has answered by itself. */
  handle: (call: Call) => unknown;
}

const MAX_BODY_BYTES = 1_000_000;

/** Declares a route with the types of its body and query. */
export function route<Q extends z.ZodType, B extends z.ZodType>(
  declared: Omit<Route, "handle" | "query" | "body"> & {
    query?: Q;
    body?: B;
    handle: (call: Call<Record<string, string>, z.output<Q>, z.output<B>>) => unknown;
  },
): Route {
  return declared as unknown as Route;
}

/** Mounts the routes: validates, calls, answers with JSON. Throws nothing: errors go to the problem handler. */
export function mount(router: Router, routes: readonly Route[]): void {
  const json = express.json({ limit: MAX_BODY_BYTES, strict: false, inflate: false });
  // What is polled often has no parameters and is found without trying all patterns in turn.
  const fixed = new Map<string, RequestHandler>();
  router.use((request, response, next) => {
    const handler = request.method === "GET" ? fixed.get(request.path) : undefined;
    return handler === undefined ? next() : handler(request, response, next);
  });
  for (const declared of routes) {
    const handler = handlerOf(declared);
    if (declared.method === "get" && !declared.path.includes(":")) fixed.set(declared.path, handler);
    router[declared.method](declared.path, ...(declared.body ? [pointTo(declared), json] : []), handler);
  }
}

/** Where people read what a route takes, as a sentence. */
const seeDocs = ({ method, path }: Route): string =>
  `See /docs#${method.toUpperCase()}%20${path.replace(/:(\w+)/g, "{$1}")} for what it takes.`;

/** Notes the sentence for whatever is wrong with the body before a handler has it. */
const pointTo =
  (declared: Route): RequestHandler =>
  (_request, response, next) => {
    response.locals.route = declared.path;
    response.locals.help = seeDocs(declared);
    next();
  };

const handlerOf =
  (declared: Route): RequestHandler =>
  async (request, response) => {
    response.locals.route = declared.path;
    const { query: inQuery, body: inBody } = declared;
    const query = inQuery ? validate(inQuery, request.query, "query", seeDocs(declared)) : undefined;
    const body = inBody ? validate(inBody, bodyOf(request), "body", seeDocs(declared)) : undefined;
    if (inBody) refuseMisspelt(inBody, request.body, "body");
    const params = request.params as Record<string, string>;
    const result = await declared.handle({ params, query, body, request, response });
    if (result !== undefined) sendJson(response, result);
  };

/** `response.json` without its content negotiation, which a status that is polled a thousand times a second feels. */
function sendJson(response: Response, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

function bodyOf({ body, headers }: Request): unknown {
  if (body !== undefined) return body;
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return {};
  const given = shown(headers["content-type"] ?? "missing");
  const next = 'Send JSON with "Content-Type: application/json" (curl -H "Content-Type: application/json" -d ...).';
  throw new WorkbenchError("bad-request", `The Content-Type of the body is ${given}; it must be JSON. ${next}`);
}
