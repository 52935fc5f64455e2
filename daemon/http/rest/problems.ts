import type { ErrorRequestHandler, Request, Response } from "express";
import type { Logger } from "pino";
import { type ErrorCode, type Problem, problemOf, WorkbenchError } from "../../../robot/wire/errors.ts";
import { withSystemCode } from "../../files/system-error.ts";
import { sendPage } from "../pages/page.ts";
import { SIGN_IN_FORM } from "../pages/sign-in.ts";

/** Converts what Express and its body parser throw (they set `type` and `status`) to an error of the registry. */
function toKnownError(error: unknown, help: string): unknown {
  const { type, status, message } = error as { type?: unknown; status?: unknown; message?: unknown };
  if (type === "entity.parse.failed")
    return new WorkbenchError("bad-request", `The body is not JSON: ${shorten(message)}. ${help}`);
  if (error instanceof URIError)
    return new WorkbenchError(
      "bad-request",
      "The path contains a percent sign that is not followed by two hex digits; write it as %25.",
    );
  if (typeof status === "number" && status >= 400 && status < 500)
    return new WorkbenchError(
      "bad-request",
      `The request cannot be read: ${shorten(message)}. Send JSON in UTF-8, not compressed. ${help}`,
    );
  return withSystemCode(error);
}

/** Shortens a library's message, which may quote the request. */
const shorten = (message: unknown): string => String(message).slice(0, 120);

/** Headers that belong to an error (RFC 9110, sections 10.2.3 and 11.6.1). */
const HEADERS: Partial<Record<ErrorCode, [string, string]>> = {
  "token-required": ["www-authenticate", "Bearer"],
  "too-many-requests": ["retry-after", "1"],
};

/** Answers errors of routes with `application/problem+json` (RFC 9457) and logs unexpected ones. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    // The body was refused, and its rest has come since.
    if (response.headersSent && response.statusCode === 413) return;
    // The work ended because nobody waits for its answer any more.
    if (response.destroyed && (thrown as Error).name === "AbortError") return;
    if (response.headersSent) return next(thrown);
    const problem = problemOf(toKnownError(thrown, response.locals.help ?? ""));
    // Only the path is logged, because a query may contain a token.
    if (problem.code === "internal") log.error({ err: thrown, path: request.path }, "a route failed");
    const header = HEADERS[problem.code];
    if (header) response.setHeader(...header);
    if (problem.code === "token-required" && isBrowserNavigation(request))
      return sendPage(response, "Robot", SIGN_IN_FORM, problem.status);
    sendProblem(response, problem)();
  };
}

/** Sends a problem, of which nothing is missing when the client has it. @returns ends the response */
export function sendProblem(response: Response, problem: Problem): () => void {
  const text = JSON.stringify(problem);
  response.writeHead(problem.status, {
    "content-type": "application/problem+json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.write(text);
  return () => void response.end();
}

const isBrowserNavigation = (request: Request): boolean =>
  request.method === "GET" && request.path === "/" && request.accepts(["json", "html"]) === "html";
