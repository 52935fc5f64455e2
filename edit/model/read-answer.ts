import { createParser } from "eventsource-parser";
import { ZodError } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type Piece, readChoice } from "./api-formats.ts";
import { errorMessageIn } from "./error-messages.ts";

/** Characters of one line of a stream, which holds one piece of the answer, or all of it. */
const MAX_LINE = 4_000_000;

export async function readCompleteAnswer(response: Response): Promise<Piece> {
  return readWhole(await response.text());
}

function readWhole(text: string): Piece {
  const piece = readPiece(text);
  if (piece.text !== "" || piece.reason !== undefined) return piece;
  throw new WorkbenchError("model-failed", `The server answered without a choice: ${text.slice(0, 200)}`);
}

/**
 * Yields the pieces of a streamed answer: server-sent events up to `[DONE]`. What arrives decides, not its content type. A
 * server that does not stream sends one JSON object.
 * @throws WorkbenchError `model-failed` for an error inside the stream, or when the stream ends too early
 */
export async function* readStream(response: Response): AsyncGenerator<Piece> {
  let [ended, reason] = [false, false];
  for await (const { data, isWhole } of events(response)) {
    if (isWhole) {
      yield readWhole(data);
      return;
    }
    if (data === "[DONE]") {
      ended = true;
      continue;
    }
    const piece = readPiece(data);
    reason ||= piece.reason !== undefined;
    yield piece;
  }
  if (ended && reason) return;
  const missing = reason ? "[DONE]" : "a finish_reason";
  throw new WorkbenchError("model-failed", `The stream broke off: it ended without ${missing}. Try again.`);
}

function readPiece(data: string): Piece {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new WorkbenchError("model-failed", `The server's answer is no JSON: ${data.slice(0, 200)}`, { cause });
  }
  try {
    return readChoice(value);
  } catch (cause) {
    if (!(cause instanceof ZodError)) throw cause;
    const message = errorMessageIn(value) ?? `an answer of another shape: ${data.slice(0, 200)}`;
    throw new WorkbenchError("model-failed", `The server answered with an error: ${message}`, { cause });
  }
}

interface StreamItem {
  data: string;
  /** The whole answer, which was not streamed. */
  isWhole: boolean;
}

/** Yields the data of server-sent events, or a body that is one JSON object. */
async function* events(response: Response): AsyncGenerator<StreamItem> {
  const waiting: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void waiting.push(data) });
  let isJson: boolean | undefined;
  let rest = "";
  let lineLength = 0;
  for await (const text of texts(response)) {
    const lineEnd = text.lastIndexOf("\n");
    lineLength = lineEnd < 0 ? lineLength + text.length : text.length - lineEnd;
    if (lineLength > MAX_LINE)
      throw new WorkbenchError(
        "model-failed",
        `The stream has a line of more than ${MAX_LINE / 1e6} million characters.`,
      );
    rest += text;
    if (isJson === undefined && rest.trim() === "") continue;
    isJson ??= rest.trimStart().startsWith("{");
    if (!isJson) {
      parser.feed(rest);
      rest = "";
    }
    for (const data of waiting.splice(0)) yield { data, isWhole: false };
  }
  if (rest.trim() !== "") yield { data: rest, isWhole: true };
}

/** The text of a body, piece by piece. */
async function* texts(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) yield decoder.decode(bytes, { stream: true });
}
