import type { RequestHandler } from "express";
import type { Clock } from "../../../common/time/clock.ts";
import { problemOf, WorkbenchError } from "../../../robot/wire/errors.ts";
import { sendProblem } from "./problems.ts";

export const MAX_BODY_BYTES = 64_000;
/** Time in which the client may send on after its body was refused: a connection closed meanwhile may lose the answer. */
const DISCARD_MS = 1000;

/**
 * Refuses a body that is too large: immediately when its length is announced, else when that many bytes have come.
 * Express's parser would read on to the end of the body first, which may never come. The connection is closed.
 */
export const limitBody =
  (clock: Clock, maxBytes = MAX_BODY_BYTES): RequestHandler =>
  (request, response, next) => {
    const refuse = (): void => {
      if (response.headersSent) return;
      const help = response.locals.help ?? "";
      const message = `The body is larger than ${maxBytes / 1000} KB, the maximum. ${help}`;
      const end = sendProblem(
        response.set("connection", "close"),
        problemOf(new WorkbenchError("body-too-large", message)),
      );
      const cancelTimer = clock.after(DISCARD_MS, end);
      request.once("end", end).once("close", cancelTimer).resume();
    };
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return refuse();
    let bytes = 0;
    if (request.headers["transfer-encoding"] !== undefined)
      request.on("data", ({ length }: Buffer) => {
        bytes += length;
        if (bytes > maxBytes) refuse();
      });
    next();
  };
