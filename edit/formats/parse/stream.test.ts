import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { PROPERTY_RUNS } from "../../../common/testing/property-runs.ts";
import { fileTrial, rangeTrial, searchTrial } from "../../testing/trials/trials.ts";
import { TOKEN } from "../../tokens.ts";
import { parseResponse } from "./parse-response.ts";
import { ResponseStream, type StreamPiece } from "./stream.ts";

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });

/** What models write before the edit. */
const starts = fc.constantFrom("", TOKEN.editStart, `\n${TOKEN.editStart}`);

/** The text in chunks of the given sizes, over and over. */
function chunksOf(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

const joined = (pieces: readonly StreamPiece[], part: StreamPiece["part"]) =>
  pieces.filter((piece) => piece.part === part).reduce((text, piece) => text + piece.text, "");

test("a stream gives the same result as the whole answer, wherever it is cut", () => {
  fc.assert(
    fc.property(fc.oneof(fileTrial, rangeTrial, searchTrial), starts, cuts, (trial, start, sizes) => {
      const text = start + trial.response;
      const options = { format: trial.format, current: trial.current };
      const stream = new ResponseStream(options);
      const pieces = chunksOf(text, sizes).flatMap((chunk) => stream.push(chunk));
      const whole = parseResponse(text, options);
      expect(stream.end()).toEqual(whole);
      const complete = text.includes(TOKEN.editEnd);
      expect(stream.editComplete).toBe(complete);
      if (!complete) return;
      const edit = trial.response.slice(0, trial.response.indexOf(TOKEN.editEnd));
      // The white space before a repeated token may have been shown before the token came.
      expect(joined(pieces, "edit").trimStart()).toBe(edit.trimStart());
      if (start === "") expect(joined(pieces, "edit")).toBe(edit);
      if (text.endsWith(TOKEN.turnEnd)) expect(joined(pieces, "explanation").trim()).toBe("Why.");
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

test("no part of a control token is shown", () => {
  const stream = new ResponseStream({ format: "wf" });
  const pieces = [..."```\nx < y\n```<|next_end|>\na <b> <|im_end|>"].flatMap((letter) => stream.push(letter));
  expect(pieces.map((piece) => piece.text).join("|")).not.toMatch(/<\|/);
  expect(joined(pieces, "edit")).toBe("```\nx < y\n```");
  expect(joined(pieces, "explanation")).toBe("\na <b> ");
});

test("a stream of 200 kB in pieces of four characters looks at each character a few times", () => {
  let looked = 0;
  const { indexOf } = String.prototype;
  vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, ...args) {
    looked += this.length;
    return indexOf.apply(this, args);
  });
  const stream = new ResponseStream({ format: "wf" });
  for (let at = 0; at < 50_000; at += 1) stream.push(at % 9 === 0 ? "a < " : "x=1\n");
  vi.restoreAllMocks();
  expect(looked).toBeLessThan(20 * 200_000);
});
