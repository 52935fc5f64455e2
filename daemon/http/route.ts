import type { Request, Response, Router } from "express";
import type { z } from "zod";
import type { ErrorCode } from "../../robot/wire/errors.ts";
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
  tag: "apps" | "daemon" | "robot" | "motion" | "simulation";
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body of the answer; absent where the answer is a stream. */
  result?: z.ZodType;
  errors: readonly ErrorCode[];
  /** Returns the JSON body of the answer; undefined when it has answered by itself. */
  handle: (call: Call) => unknown;
}

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
  for (const declared of routes)
    router[declared.method](declared.path, async (request, response) => {
      const query = declared.query ? validate(declared.query, request.query, "query") : undefined;
      const body = declared.body ? validate(declared.body, request.body ?? {}, "body") : undefined;
      const params = request.params as Record<string, string>;
      const result = await declared.handle({ params, query, body, request, response });
      if (!response.headersSent) response.json(result);
    });
}
