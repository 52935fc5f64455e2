import { createParser } from "eventsource-parser";
import { ZodError } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { ApiFormat, Piece } from "./api-formats.ts";
import { errorMessageIn } from "./error-messages.ts";

/** Characters of one line of a stream, which holds one piece of the answer, or all of it. */
const MAX_LINE = 4_000_000;

/** Reads an answer that is not streamed. */
export async function readCompleteAnswer(response: Response, format: ApiFormat): Promise<Piece> {
  return readPiece(await response.text(), format);
}

/**
 * Yields the pieces of a streamed answer: server-sent events up to `[DONE]`, or Ollama's JSON lines up to
 * `"done": true`.
 * @throws WorkbenchError `model-failed` for an error inside the stream, or when the stream ends too early
 */
export async function* readStream(response: Response, format: ApiFormat): AsyncGenerator<Piece> {
  let [ended, reason] = [false, false];
  for await (const data of events(response)) {
    if (data === "[DONE]") {
      ended = true;
      continue;
    }
    const piece = readPiece(data, format);
    reason ||= piece.reason !== undefined;
    ended ||= format.path.startsWith("/api/") && reason;
    yield piece;
  }
  if (ended && reason) return;
  const missing = reason ? "[DONE]" : "a finish_reason";
  throw new WorkbenchError("model-failed", `The stream broke off: it ended without ${missing}. Try again.`);
}

function readPiece(data: string, format: ApiFormat): Piece {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new WorkbenchError("model-failed", `The server's answer is no JSON: ${data.slice(0, 200)}`, { cause });
  }
  try {
    return format.read(value);
  } catch (cause) {
    if (!(cause instanceof ZodError)) throw cause;
    const message = errorMessageIn(value) ?? `an answer of another shape: ${data.slice(0, 200)}`;
    throw new WorkbenchError("model-failed", `The server answered with an error: ${message}`, { cause });
  }
}

/** Yields the data of server-sent events, or the lines of a body of JSON lines. */
async function* events(response: Response): AsyncGenerator<string> {
  const lines = !(response.headers.get("content-type") ?? "").includes("text/event-stream");
  const waiting: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void waiting.push(data) });
  const decoder = new TextDecoder();
  let rest = "";
  let lineLength = 0;
  for await (const bytes of response.body ?? []) {
    const text = decoder.decode(bytes, { stream: true });
    const lineEnd = text.lastIndexOf("\n");
    lineLength = lineEnd < 0 ? lineLength + text.length : text.length - lineEnd;
    if (lineLength > MAX_LINE)
      throw new WorkbenchError(
        "model-failed",
        `The stream has a line of more than ${MAX_LINE / 1e6} million characters.`,
      );
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
