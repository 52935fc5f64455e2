import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTwoFilesPatch } from "diff";
import writeFileAtomic from "write-file-atomic";
import { escapeControls } from "../../escape-controls.ts";
import type { PlannedChange } from "./plan-fixes.ts";

/** The changes as one unified diff, with the files named as git names them. */
export function formatDiff(changes: readonly PlannedChange[], colour: boolean): string {
  return changes
    .map(({ file, before, after }) => {
      const old = before === null ? "/dev/null" : `a/${file}`;
      const patch = createTwoFilesPatch(old, `b/${file}`, before ?? "", after, undefined, undefined, { context: 3 });
      const lines = patch.split("\n").filter((line) => !/^=+$/.test(line));
      return lines.map((line) => paint(escapeControls(line), colour)).join("\n");
    })
    .join("");
}

function paint(line: string, colour: boolean): string {
  const code = /^(?:---|\+\+\+)/.test(line) ? 1 : line.startsWith("+") ? 32 : line.startsWith("-") ? 31 : 0;
  return colour && code > 0 ? `\x1b[${code}m${line}\x1b[0m` : line;
}

/** Writes the changes, each file whole or not at all. @throws Error of Node when a file cannot be written */
export async function writeChanges(folder: string, changes: readonly PlannedChange[]): Promise<void> {
  for (const { file, after } of changes) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, after);
  }
}
