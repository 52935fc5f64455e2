import { createTwoFilesPatch } from "diff";
import { NO_FILE } from "../../../edit/apply/file.ts";
import { refusalText } from "../../../edit/refusal.ts";
import { type MultiFileResult, refusalReason } from "../../../edit/session/edit-files.ts";
import { escapeControls } from "../../escape-controls.ts";

const COLOURS: Readonly<Record<string, number>> = { "+": 32, "-": 31, "@": 36 };

/** A unified diff as text for a person. */
export function formatDiff(name: string, before: string, after: string, colour: boolean): string {
  const lines = escapeControls(diffOf(name, before, after)).split("\n");
  const paint = (line: string) => {
    const code = COLOURS[line[0] ?? ""];
    return colour && code !== undefined ? `\x1b[${code}m${line}\x1b[0m` : line;
  };
  return lines.map(paint).join("\n");
}

function diffOf(name: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after);
  return patch.slice(patch.indexOf("\n") + 1);
}

/** The result of an edit as text for a person: the diffs, notes, and the explanation. */
export function resultAsText(outcome: MultiFileResult, colour: boolean): string {
  const explanation = outcome.explanation === "" ? "" : `\n${escapeControls(outcome.explanation)}\n`;
  if (outcome.status === "no-change") return `The model changes nothing.\n${explanation}`;
  if (outcome.status === "refused")
    return `${escapeControls(refusalReason(outcome))}\nNo file was changed.\n${explanation}`;
  const diffs = outcome.files.map(({ name, source, result, notes }) => {
    const title = source.hash === NO_FILE ? `New file: ${name}\n` : "";
    return title + formatDiff(name, source.text, result, colour) + notes.map((note) => `note: ${note}\n`).join("");
  });
  return diffs.join("") + explanation;
}

/** The result of an edit of several files as JSON. */
export function resultAsJson(outcome: MultiFileResult) {
  const { status, explanation } = outcome;
  if (outcome.status === "no-change") return { status, explanation };
  if (outcome.status === "refused") {
    const refusals = outcome.refusals.map(({ name, refusal }) => {
      return { ...(name === undefined ? {} : { file: name }), code: refusal.code, detail: refusalText(refusal) };
    });
    return { status, refusals, explanation };
  }
  const files = outcome.files.map(({ name, source, result, notes }) => {
    return { file: name, isNew: source.hash === NO_FILE, diff: diffOf(name, source.text, result), notes };
  });
  return { status, files, explanation };
}

/** The result of an edit of one file as JSON, without lists. */
export function singleResultAsJson(file: string, outcome: MultiFileResult) {
  const { files, refusals, ...rest } = { files: [], refusals: [], ...resultAsJson(outcome) };
  return { ...rest, file, ...files[0], ...refusals[0] };
}
