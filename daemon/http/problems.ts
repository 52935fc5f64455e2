import type { ErrorRequestHandler, Request } from "express";
import type { Logger } from "pino";
import { type ErrorCode, problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { sendPage } from "./pages/page.ts";
import { SIGN_IN_FORM } from "./pages/sign-in.ts";

/** What Express and its body parser throw (`type` and `status` are their own fields), in the registry's words. */
function known(error: unknown, help: string): unknown {
  const { type, status, message } = error as { type?: unknown; status?: unknown; message?: unknown };
  if (type === "entity.too.large")
    return new WorkbenchError("body-too-large", `The body is larger than 1 MB, the most that is taken. ${help}`);
  if (type === "entity.parse.failed")
    return new WorkbenchError("bad-request", `The body is not JSON: ${shortened(message)}. ${help}`);
  if (error instanceof URIError)
    return new WorkbenchError(
      "bad-request",
      "The path holds a percent sign that no two hex digits follow; write it as %25.",
    );
  if (typeof status === "number" && status >= 400 && status < 500)
    return new WorkbenchError(
      "bad-request",
      `The request cannot be read: ${shortened(message)}. Send JSON in UTF-8, not compressed. ${help}`,
    );
  return error;
}

/** The reason that a library gives, which may hold what the caller sent. */
const shortened = (message: unknown): string => String(message).slice(0, 120);

/** Headers that a status asks for (RFC 9110, sections 10.2.3 and 11.6.1). */
const HEADERS: Partial<Record<ErrorCode, [string, string]>> = {
  "token-required": ["www-authenticate", "Bearer"],
  "too-many-requests": ["retry-after", "1"],
};

/** Turns anything thrown by a route into `application/problem+json` (RFC 9457); unexpected errors are logged. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    const problem = problemOf(known(thrown, response.locals.help ?? ""));
    // The path alone: a query may hold a token.
    if (problem.code === "internal") log.error({ err: thrown, path: request.path }, "a route failed");
    const header = HEADERS[problem.code];
    if (header) response.setHeader(...header);
    if (problem.code === "token-required" && isPersonLooking(request))
      return sendPage(response, "Robot", SIGN_IN_FORM, problem.status);
    response.status(problem.status).type("application/problem+json").send(JSON.stringify(problem));
  };
}

const isPersonLooking = (request: Request): boolean =>
  request.method === "GET" && request.path === "/" && request.accepts(["json", "html"]) === "html";
