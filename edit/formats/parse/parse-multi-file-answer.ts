import { Refused } from "../../refusal.ts";
import { TOKEN } from "../../tokens.ts";
import type { ParsedEdit } from "../edit.ts";
import type { Format } from "../format.ts";
import { readAnswer } from "./answer-document.ts";
import { type Block, pathOfLine, SHAPES, splitBlocks } from "./blocks.ts";
import type { EndOfAnswer } from "./end-of-answer.ts";
import { twoEdits } from "./last-edit.ts";
import { editLines, editOfBlocks } from "./parse-response.ts";
import { refuseStrayTokens } from "./turns.ts";

/** The blocks with the edit of one file, and the file's path as the answer names it. */
export interface FileBlocks {
  path: string;
  blocks: Block[];
}

/** The edits of an answer by file, and its explanation; no files when the answer changes nothing. */
interface ParsedFiles {
  files: FileBlocks[];
  explanation: string;
}

/**
 * Parses an answer with edits of several files. A line `File: path` stands before the blocks of each file.
 * @throws Refused `too-long`, `truncated`, `stray-token`, `malformed`; `ambiguous` for two answers, and when two lines name the same path
 */
export function parseMultiFileAnswer(text: string, end: EndOfAnswer): ParsedFiles {
  const { edits, explanation } = readAnswer(text, end);
  const edit = edits.at(-1) ?? "";
  const other = edits.find((each) => each !== edit);
  if (other !== undefined) throw twoEdits(other, edit);
  refuseStrayTokens(edit, [TOKEN.separator]);
  if (edit === "") return { files: [], explanation };
  const files: FileBlocks[] = [];
  for (const block of splitBlocks(editLines(edit), "files")) {
    const { path, at } = block;
    if (path === undefined && files.length === 0)
      throw new Refused("malformed", "The first edit has no path.", SHAPES.files, at);
    if (path === undefined) files.at(-1)?.blocks.push(block);
    else if (files.some((file) => file.path === path))
      throw new Refused("ambiguous", `${path} has two edits.`, "Put all blocks of a file below one path.", at);
    else files.push({ path, blocks: [block] });
  }
  return { files, explanation };
}

/**
 * The edit of a file from its blocks.
 * @param format `sr` for a file with text, `wf` for a new or empty one
 * @param current the text of the file
 * @throws Refused as `editOfBlocks`; `ambiguous` for a line `File: path` in a block that is not in the file: a fence before it
 *   may not have been closed
 */
export function editOfFile({ blocks }: FileBlocks, format: Format, current: string): ParsedEdit {
  const edit = editOfBlocks(blocks, { format, current });
  const currentLines = new Set(current.split(/\r?\n/));
  for (const { parts, at } of blocks) {
    const pathLine = parts.flat().find((line) => pathOfLine(line) !== undefined && !currentLines.has(line));
    if (pathLine === undefined) continue;
    const reason = `The line ${JSON.stringify(pathLine)} inside of a block could be the path of another file.`;
    throw new Refused("ambiguous", reason, "Close the fence before it, or leave that line out.", at);
  }
  return edit;
}
