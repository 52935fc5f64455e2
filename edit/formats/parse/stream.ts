import { CONTROL_TOKENS, TOKEN } from "../../tokens.ts";
import { type ParsedResponse, type ParseOptions, parseResponse } from "./parse-response.ts";

/** A piece of a streamed answer. The pieces of one part joined give it, but for an end that may be a control token cut off. */
export interface StreamPiece {
  part: "edit" | "explanation";
  text: string;
}

/**
 * Reads a completion as it streams in. Pieces are for display; only `end()` gives the parsed answer, because a later
 * token can still make an edit invalid.
 */
export class ResponseStream {
  readonly #options: ParseOptions;
  readonly #chunks: string[] = [];
  /** What is not shown yet: the beginning of a control token, or nothing. */
  #waiting = "";
  /** Whether only white space has been shown. */
  #isAtStart = true;
  #part: StreamPiece["part"] | "done" = "edit";

  constructor(options: ParseOptions) {
    this.#options = options;
  }

  /** True once `<|next_end|>` has been read. */
  get editComplete(): boolean {
    return this.#part !== "edit";
  }

  /** Takes a chunk, cut anywhere, and returns the pieces that can be shown. */
  push(chunk: string): StreamPiece[] {
    this.#chunks.push(chunk);
    this.#waiting += chunk;
    const pieces: StreamPiece[] = [];
    while (this.#part !== "done") {
      const stop = this.#part === "edit" ? TOKEN.editEnd : TOKEN.turnEnd;
      const at = this.#waiting.indexOf(stop);
      const until = at < 0 ? this.#waiting.length - partialTokenLength(this.#waiting) : at;
      const text = this.#waiting.slice(0, until);
      if (text !== "") pieces.push({ part: this.#part, text: this.#isAtStart ? stripEditStart(text) : text });
      this.#isAtStart &&= text.trim() === "";
      this.#waiting = this.#waiting.slice(at < 0 ? until : at + stop.length);
      if (at < 0) break;
      this.#part = this.#part === "edit" ? "explanation" : "done";
    }
    if (this.#part === "done") this.#waiting = "";
    return pieces.filter((piece) => piece.text !== "");
  }

  /**
   * The whole answer, parsed by `parseResponse`.
   * @param finished see `ParseOptions.finished`; known only when the stream has ended
   */
  end(finished = this.#options.finished ?? false): ParsedResponse {
    return parseResponse(this.#chunks.join(""), { ...this.#options, finished });
  }
}

/** Removes a repeated `<|next_start|>`. It is never split over two pieces because partial tokens are held back. */
function stripEditStart(text: string): string {
  const start = text.trimStart();
  return start.startsWith(TOKEN.editStart) ? start.slice(TOKEN.editStart.length) : text;
}

/** The length of the longest end of a text that may be the beginning of a control token. */
function partialTokenLength(text: string): number {
  const from = text.lastIndexOf("<");
  const tail = from < 0 ? "" : text.slice(from);
  return tail !== "" && CONTROL_TOKENS.some((token) => token !== tail && token.startsWith(tail)) ? tail.length : 0;
}
