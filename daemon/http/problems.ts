import type { ErrorRequestHandler, RequestHandler } from "express";
import type { Logger } from "pino";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";

/** The last route: what nobody answered is a problem too. */
export const unknownRoute: RequestHandler = (request) => {
  throw new WorkbenchError(
    "route-not-found",
    `${request.method} ${request.path} is not a route of this daemon; GET /openapi.json lists them all.`,
  );
};

/** What body-parser throws (`type` is its own field), in the registry's words. */
function known(error: unknown): unknown {
  const type = (error as { type?: unknown }).type;
  if (type === "entity.too.large") return new WorkbenchError("body-too-large", "The body is larger than 1 MB.");
  if (type === "entity.parse.failed")
    return new WorkbenchError("bad-request", `The body is not JSON: ${(error as Error).message}.`);
  if (error instanceof URIError)
    return new WorkbenchError("bad-request", "The path holds a percent sign that is not followed by a valid code.");
  return error;
}

/** Turns anything thrown by a route into `application/problem+json` (RFC 9457); unexpected errors are logged. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    const problem = problemOf(known(thrown));
    if (problem.code === "internal") log.error({ err: thrown, path: request.path }, "a route failed");
    response.status(problem.status).type("application/problem+json").send(JSON.stringify(problem));
  };
}
