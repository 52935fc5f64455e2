import type { SyntaxFault } from "./syntax-gate.ts";

/** A token as the parser's listing prints it: its kind and its range in bytes of UTF-8. */
const TOKEN = /^ {4}(\w+) (\d+)\.\.(\d+)/gm;

const NO_STATEMENT = new Set(["Comment", "NonLogicalNewline", "Indent", "Dedent", "EndOfFile"]);

/**
 * Python's TabError: indentation whose depth depends on how wide a tab is. Python compares each logical line's depth
 * with tabs to the next multiple of 8 and with tabs of 1 (`Parser/lexer` of CPython); the parser used here does not.
 * @param listing the parser's tokens of a text without other errors
 */
export function tabFaults(text: string, listing: string): SyntaxFault[] {
  if (!/^ *\t/m.test(text) || !/^\t* /m.test(text)) return [];
  const bytes = Buffer.from(text, "utf8");
  const stack = [{ wide: 0, narrow: 0 }];
  let atStart = true;
  for (const [, kind = "", from = "0"] of listing.matchAll(TOKEN)) {
    if (atStart && !NO_STATEMENT.has(kind)) {
      const depth = depths(bytes, Number(from));
      while (stack.length > 1 && depth.wide < (stack.at(-1)?.wide ?? 0)) stack.pop();
      const top = stack.at(-1) as { wide: number; narrow: number };
      const agrees = depth.wide === top.wide ? depth.narrow === top.narrow : depth.narrow > top.narrow;
      if (!agrees) return [{ line: lineAt(bytes, Number(from)), message: "Inconsistent use of tabs and spaces" }];
      if (depth.wide > top.wide) stack.push(depth);
      atStart = false;
    }
    if (kind === "Newline") atStart = true;
  }
  return [];
}

/** The depth of the line that a byte stands on, by both widths of a tab. */
function depths(bytes: Buffer, at: number): { wide: number; narrow: number } {
  let [wide, narrow] = [0, 0];
  const begins = at === 0 ? 0 : bytes.lastIndexOf(0x0a, at - 1) + 1;
  for (let index = begins; index < at; index += 1) {
    wide = bytes[index] === 0x09 ? (Math.floor(wide / 8) + 1) * 8 : wide + 1;
    narrow += 1;
  }
  return { wide, narrow };
}

function lineAt(bytes: Buffer, at: number): number {
  return bytes.subarray(0, at).toString("utf8").split("\n").length;
}
