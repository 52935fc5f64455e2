import { Refused } from "../../refusal.ts";
import type { ParsedEdit } from "../edit.ts";
import type { Format } from "../format.ts";
import { type Block, pathOfLine, SHAPES, splitBlocks } from "./blocks.ts";
import { editLines, editOfBlocks } from "./parse-response.ts";
import { splitAnswer } from "./split-answer.ts";

/** The blocks of one of several files, with the path that stands before them. */
export interface FileBlocks {
  path: string;
  blocks: Block[];
}

/** Edits of several files and the explanation; no files when nothing is changed. */
interface ParsedFiles {
  files: FileBlocks[];
  explanation: string;
}

/**
 * Parses an answer with edits of several files: a line `File: path` before the blocks of each.
 * @param finished see `ParseOptions.finished`
 * @throws Refused as `parseResponse` refuses; `ambiguous` for a path that is there twice
 */
export function parseFiles(text: string, finished: boolean): ParsedFiles {
  const { edit, explanation } = splitAnswer(text, "sr", finished);
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
 * The edit of one of several files.
 * @param current the text of the file
 * @throws Refused as `editOfBlocks`; `ambiguous` for a new line that could be the path of another file
 */
export function editOfFile({ blocks }: FileBlocks, format: Format, current: string): ParsedEdit {
  const edit = editOfBlocks(blocks, { format, current });
  const known = new Set(current.split(/\r?\n/));
  for (const { parts, at } of blocks) {
    const stray = parts.flat().find((line) => pathOfLine(line) !== undefined && !known.has(line));
    if (stray === undefined) continue;
    const reason = `The line ${JSON.stringify(stray)} inside of a block could be the path of another file.`;
    throw new Refused("ambiguous", reason, "Close the fence before it, or leave that line out.", at);
  }
  return edit;
}
