import { setTimeout as wait } from "node:timers/promises";
import type { Response } from "express";
import type { Fault } from "./faults.ts";
import type { Generated, Generation } from "./generate.ts";
import type { Shape } from "./shapes.ts";

const SLOW_MS = 50;
const BROKEN = { error: { message: "The engine died.", type: "InternalServerError", param: null, code: 500 } };

/** Sends an answer, whole or streamed, with whatever is to go wrong with it. */
export async function respond(
  response: Response,
  { model, stream }: Generation,
  generated: Generated,
  shape: Shape,
  fault: Fault | undefined,
): Promise<void> {
  if (fault === "500") return void response.status(500).json(BROKEN);
  if (fault === "503") return void response.status(503).set("Retry-After", "0").json({ message: "Busy.", code: 503 });
  if (fault === "hang") return;
  const cut: Generated = {
    pieces: generated.pieces.slice(0, generated.pieces.length >> 1),
    finish: "length",
    stop: null,
  };
  const said = fault === "truncate" ? cut : generated;
  if (!stream) return void response.json(fault === "error-in-200" ? BROKEN : shape.whole(model, said));
  response.set({ "Content-Type": shape.streamType, "Cache-Control": "no-cache" }).flushHeaders();
  for (const piece of fault === "error-in-200" ? cut.pieces : said.pieces) {
    if (response.destroyed) return;
    if (fault === "slow") await wait(SLOW_MS);
    response.write(shape.chunk(model, piece));
  }
  if (fault === "error-in-200")
    response.write(
      shape.streamType === "text/event-stream" ? `data: ${JSON.stringify(BROKEN)}\n\n` : JSON.stringify(BROKEN),
    );
  else if (fault !== "break-off") for (const last of shape.end(model, said)) response.write(last);
  response.end();
}
