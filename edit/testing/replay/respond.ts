import { setTimeout as wait } from "node:timers/promises";
import type { Response } from "express";
import type { AnswerFormat } from "./answer-formats.ts";
import type { AnswerFault } from "./faults.ts";
import type { Generated, Generation } from "./generate.ts";

const SLOW_MS = 50;
const BROKEN = { error: { message: "The engine died.", type: "InternalServerError", param: null, code: 500 } };

/** Sends an answer, whole or streamed, with the fault injected. */
export async function respond(
  response: Response,
  { model, stream }: Generation,
  generated: Generated,
  format: AnswerFormat,
  fault: AnswerFault | undefined,
): Promise<void> {
  if (fault === "500") return void response.status(500).json(BROKEN);
  if (fault === "503") return void response.status(503).set("Retry-After", "0").json({ message: "Busy.", code: 503 });
  if (fault === "hang") return;
  const cut: Generated = {
    pieces: generated.pieces.slice(0, generated.pieces.length >> 1),
    finish: "length",
    stop: null,
  };
  const sent = fault === "truncate" ? cut : generated;
  if (!stream) return void response.json(fault === "error-in-200" ? BROKEN : format.whole(model, sent));
  response.set({ "Content-Type": "text/event-stream", "Cache-Control": "no-cache" }).flushHeaders();
  for (const piece of fault === "error-in-200" ? cut.pieces : sent.pieces) {
    if (response.destroyed) return;
    if (fault === "slow") await wait(SLOW_MS);
    response.write(format.chunk(model, piece));
  }
  if (fault === "error-in-200") response.write(`data: ${JSON.stringify(BROKEN)}\n\n`);
  else if (fault !== "break-off") for (const last of format.end(model, sent)) response.write(last);
  response.end();
}
