import type { SyntaxFault } from "../syntax-fault.ts";

/** A token as ruff prints it: its kind and its range in bytes of UTF-8. */
const TOKEN = /^ {4}(\w+) (\d+)\.\.(\d+)/gm;

const NOT_A_STATEMENT = new Set(["Comment", "NonLogicalNewline", "Indent", "Dedent", "EndOfFile"]);

/**
 * Finds Python's TabError: indentation whose depth depends on the width of a tab. CPython (`Parser/lexer`) compares the
 * depth of each logical line with tabs to the next multiple of 8 and with tabs of 1; ruff does not.
 * @param tokens ruff's token list of a text without other errors
 */
export function tabErrors(text: string, tokens: string): SyntaxFault[] {
  if (!/^ *\t/m.test(text) || !/^\t* /m.test(text)) return [];
  const bytes = Buffer.from(text, "utf8");
  const stack: Depth[] = [];
  let enclosing: Depth = { wide: 0, narrow: 0 };
  let atLineStart = true;
  for (const [, kind = "", from = "0"] of tokens.matchAll(TOKEN)) {
    if (atLineStart && !NOT_A_STATEMENT.has(kind)) {
      const depth = depthOf(bytes, Number(from));
      while (depth.wide < enclosing.wide) enclosing = stack.pop() ?? { wide: 0, narrow: 0 };
      const agrees =
        depth.wide === enclosing.wide ? depth.narrow === enclosing.narrow : depth.narrow > enclosing.narrow;
      if (!agrees) return [{ line: lineAt(bytes, Number(from)), message: "Inconsistent use of tabs and spaces" }];
      if (depth.wide > enclosing.wide) {
        stack.push(enclosing);
        enclosing = depth;
      }
      atLineStart = false;
    }
    if (kind === "Newline") atLineStart = true;
  }
  return [];
}

/** Columns of indentation with tabs to the next multiple of 8 (`wide`) and with tabs of 1 (`narrow`). */
interface Depth {
  wide: number;
  narrow: number;
}

/** The indentation of the line that a byte belongs to. */
function depthOf(bytes: Buffer, at: number): Depth {
  let [wide, narrow] = [0, 0];
  const lineStart = at === 0 ? 0 : bytes.lastIndexOf(0x0a, at - 1) + 1;
  for (let index = lineStart; index < at; index += 1) {
    wide = bytes[index] === 0x09 ? (Math.floor(wide / 8) + 1) * 8 : wide + 1;
    narrow += 1;
  }
  return { wide, narrow };
}

function lineAt(bytes: Buffer, at: number): number {
  return bytes.subarray(0, at).toString("utf8").split("\n").length;
}
