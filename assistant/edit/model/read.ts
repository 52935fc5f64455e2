import { createParser } from "eventsource-parser";
import { ZodError } from "zod";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Exchange, Piece } from "./exchange.ts";
import { messageIn } from "./failures.ts";

/** An answer that came in one piece. */
export async function readWhole(response: Response, exchange: Exchange): Promise<Piece> {
  return readPiece(await response.text(), exchange);
}

/**
 * The pieces of a streamed answer: server-sent events up to `[DONE]`, or Ollama's JSON lines up to `"done": true`.
 * @throws WorkbenchError `model-failed` for an error inside the stream, or when it breaks off without its end
 */
export async function* readStream(response: Response, exchange: Exchange): AsyncGenerator<Piece> {
  let [ended, reason] = [false, false];
  for await (const data of events(response)) {
    if (data === "[DONE]") {
      ended = true;
      continue;
    }
    const piece = readPiece(data, exchange);
    reason ||= piece.reason !== undefined;
    ended ||= exchange.path === "/api/generate" && reason;
    yield piece;
  }
  if (ended && reason) return;
  const missing = reason ? "[DONE]" : "a finish_reason";
  throw new WorkbenchError("model-failed", `The stream broke off: it ended without ${missing}. Try again.`);
}

function readPiece(data: string, exchange: Exchange): Piece {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new WorkbenchError("model-failed", `The server's answer is no JSON: ${data.slice(0, 200)}`, { cause });
  }
  try {
    return exchange.read(value);
  } catch (cause) {
    if (!(cause instanceof ZodError)) throw cause;
    const said = messageIn(value) ?? `an answer of another shape: ${data.slice(0, 200)}`;
    throw new WorkbenchError("model-failed", `The server answered with an error: ${said}`, { cause });
  }
}

/** The data of server-sent events; a body of JSON lines has one a line. */
async function* events(response: Response): AsyncGenerator<string> {
  const lines = !(response.headers.get("content-type") ?? "").includes("text/event-stream");
  const waiting: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void waiting.push(data) });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body ?? []) {
    const text = decoder.decode(bytes, { stream: true });
    if (lines) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      waiting.push(...parts.filter((part) => part.trim() !== ""));
    } else {
      parser.feed(text);
    }
    yield* waiting.splice(0);
  }
  if (rest.trim() !== "") yield rest;
}
