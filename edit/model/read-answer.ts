import { createParser } from "eventsource-parser";
import { ZodError } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { TOKEN } from "../tokens.ts";
import { type Piece, readChoice } from "./api-formats.ts";
import { complaintOf } from "./complaint.ts";
import { parseJsonOrText } from "./http.ts";
import { ServerError } from "./server-error.ts";

/** Characters of one line of a stream, which holds one piece of the answer, or all of it. */
const MAX_LINE = 4_000_000;
/** Characters of a body that an error shows. */
const SHOWN = 200;

export async function readCompleteAnswer(response: Response): Promise<Piece> {
  return readWhole(await response.text());
}

function readWhole(text: string): Piece {
  const piece = readPiece(text);
  if (piece.text !== "" || piece.reason !== undefined) return piece;
  throw new WorkbenchError("model-failed", `The server answered without a choice: ${text.slice(0, SHOWN)}`);
}

/**
 * Yields the pieces of a streamed answer: server-sent events up to a reason to stop or `[DONE]`, of which servers leave one
 * out, or up to the end of a body that has the end of an edit. Nothing is read after that. What arrives decides, not its
 * content type. A server that does not stream sends one JSON object.
 * @throws WorkbenchError `model-failed` for an error inside the stream, or when the stream ends too early
 */
export async function* readStream(response: Response): AsyncGenerator<Piece> {
  let tail = "";
  let last = "";
  let hasEdit = false;
  for await (const { data, kind } of events(response)) {
    if (kind === "whole") {
      yield readWhole(data);
      return;
    }
    if (data.trim() === "[DONE]") return;
    if (kind === "cut" && parseJsonOrText(data) === data) break;
    last = data;
    const piece = readPiece(data);
    tail = tail.slice(-TOKEN.editEnd.length) + piece.text;
    hasEdit ||= tail.includes(TOKEN.editEnd);
    yield piece;
    if (piece.reason !== undefined) return;
  }
  if (hasEdit) return;
  const end = last === "" ? "it was empty" : `the last that came is ${last.slice(0, SHOWN)}`;
  throw new WorkbenchError(
    "model-failed",
    `The stream broke off without a finish_reason or [DONE]: ${end}. Try again.`,
  );
}

function readPiece(data: string): Piece {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    const complaint = complaintOf(data);
    throw new ServerError(`The server's answer is no JSON: ${complaint.message.slice(0, SHOWN)}`, complaint);
  }
  try {
    return readChoice(value);
  } catch (cause) {
    if (!(cause instanceof ZodError)) throw cause;
    throw new WorkbenchError("model-failed", `The server gave an answer of another shape: ${data.slice(0, SHOWN)}`, {
      cause,
    });
  }
}

interface StreamItem {
  data: string;
  /** An event, one whose end is missing, or an answer that was not streamed. */
  kind: "event" | "cut" | "whole";
}

/** How lines of server-sent events begin. */
const EVENT_LINES = ["data:", "event:", "id:", "retry:", ":"];

/** Yields the data of server-sent events, or a body that is none as a whole. */
async function* events(response: Response): AsyncGenerator<StreamItem> {
  const waiting: StreamItem[] = [];
  let kind: "event" | "cut" = "event";
  const parser = createParser({ onEvent: ({ data }) => void waiting.push({ data, kind }) });
  let isStream: boolean | undefined;
  let rest = "";
  let lineLength = 0;
  for await (const text of texts(response)) {
    const lineEnd = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
    lineLength = lineEnd < 0 ? lineLength + text.length : text.length - lineEnd;
    if (lineLength > MAX_LINE)
      throw new WorkbenchError(
        "model-failed",
        `The stream has a line of more than ${MAX_LINE / 1e6} million characters.`,
      );
    rest += text;
    const start = isStream === undefined ? rest.trimStart().slice(0, 10) : "";
    if (isStream === undefined && EVENT_LINES.some((line) => line.startsWith(start))) continue;
    isStream ??= EVENT_LINES.some((line) => start.startsWith(line));
    if (!isStream) continue;
    parser.feed(rest);
    rest = "";
    yield* waiting.splice(0);
  }
  if (isStream === false) return yield { data: rest, kind: "whole" };
  kind = "cut";
  parser.feed(`${rest}\n\n`);
  yield* waiting;
}

/** The text of a body, piece by piece. */
async function* texts(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) yield decoder.decode(bytes, { stream: true });
}
