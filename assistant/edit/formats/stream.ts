import { CONTROL_TOKENS, TOKEN } from "../tokens.ts";
import { type ParsedResponse, type ParseOptions, parseResponse } from "./parse.ts";

/** A piece of an answer that is certain, as it comes in; pieces of one kind joined give the whole. */
export interface StreamPiece {
  part: "edit" | "explanation";
  text: string;
}

/**
 * Reads a completion as it streams in. Pieces are for showing; only `end()` says what the answer is, because a later
 * token can still spoil an edit that looked complete.
 */
export class ResponseStream {
  readonly #options: ParseOptions;
  #text = "";
  #shown = 0;
  #part: StreamPiece["part"] | "over" = "edit";

  constructor(options: ParseOptions) {
    this.#options = options;
  }

  /** True from the moment that `<|next_end|>` has been read. */
  get editComplete(): boolean {
    return this.#part !== "edit";
  }

  /** Takes in a chunk, however cut, and returns what can be shown. */
  push(chunk: string): StreamPiece[] {
    this.#text += chunk;
    const pieces: StreamPiece[] = [];
    while (this.#part !== "over") {
      const stop = this.#part === "edit" ? TOKEN.editEnd : TOKEN.turnEnd;
      const at = this.#text.indexOf(stop, this.#shown);
      const until = at < 0 ? this.#text.length - heldBack(this.#text) : at;
      const text = this.#text.slice(this.#shown, until);
      if (text !== "") pieces.push({ part: this.#part, text: this.#shown === 0 ? withoutStart(text) : text });
      this.#shown = Math.max(this.#shown, until);
      if (at < 0) break;
      this.#shown = at + stop.length;
      this.#part = this.#part === "edit" ? "explanation" : "over";
    }
    return pieces.filter((piece) => piece.text !== "");
  }

  /**
   * The whole answer, read as `parseResponse` reads it.
   * @param finished see `ParseOptions.finished`; known only when the stream has ended
   */
  end(finished = this.#options.finished ?? false): ParsedResponse {
    return parseResponse(this.#text, { ...this.#options, finished });
  }
}

/** A repeated `<|next_start|>` is no part of the edit; it is never cut in two because its beginning is held back. */
function withoutStart(text: string): string {
  return text.startsWith(TOKEN.editStart) ? text.slice(TOKEN.editStart.length) : text;
}

/** The length of the longest end of a text that could be the beginning of a control token. */
function heldBack(text: string): number {
  const from = text.lastIndexOf("<");
  const tail = from < 0 ? "" : text.slice(from);
  return tail !== "" && CONTROL_TOKENS.some((token) => token !== tail && token.startsWith(tail)) ? tail.length : 0;
}
