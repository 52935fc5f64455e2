import type { Language } from "./corpus.ts";
import type { Random } from "./random.ts";

/** What models write for lines that they leave out. */
const PHRASES = [
  "... rest unchanged ...",
  "...",
  "… rest of the file …",
  "... existing code ...",
  "rest of the code remains the same",
  "... (rest of the code unchanged)",
  "The rest of the file is unchanged.",
  "existing code here",
  "... other methods ...",
  "(unchanged)",
  "[rest of the file]",
  "[... same as before ...]",
  "same as before",
  "remaining lines omitted for brevity",
  "Other code stays the same...",
  "--- rest of file unchanged ---",
  "no changes below",
  "keep the existing code",
  "snip",
];
/** Without a comment. */
const BARE = ["...", "…", "[...]", "(...)", "... rest unchanged ...", "[rest of the file unchanged]"];

/** A line that stands for others. @param known a line of the file, which may be written with a comment behind it */
export function elisionLine(random: Random, { comment: [begin, end] }: Language, known: string): string {
  const indent = random.pick(["", "", "    "]);
  if (random.oneIn(6)) return `${known}  ${begin}... existing code ...${end}`;
  return indent + (random.oneIn(4) ? random.pick(BARE) : begin + random.pick(PHRASES) + end);
}
