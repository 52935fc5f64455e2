import { createTwoFilesPatch } from "diff";
import type { EditResult } from "../../../edit/apply/apply.ts";
import { NO_FILE } from "../../../edit/apply/file.ts";
import { refusalText } from "../../../edit/refusal.ts";
import type { FilesResult } from "../../../edit/session/edit-files.ts";
import { fileRefusalText } from "../../../edit/session/request-edit.ts";
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

/** The result of an edit as text for a person: the diff, notes, and the explanation. */
export function resultAsText(name: string, before: string, outcome: EditResult, colour: boolean): string {
  const explanation = outcome.explanation === "" ? "" : `\n${escapeControls(outcome.explanation)}\n`;
  if (outcome.status === "refused") return `${escapeControls(refusalText(outcome.refusal))}\n${explanation}`;
  if (outcome.status === "no-change") return `The model changes nothing in ${name}.\n${explanation}`;
  const notes = outcome.notes.map((note) => `note: ${note}\n`).join("");
  return formatDiff(name, before, outcome.result, colour) + notes + explanation;
}

/** The result of an edit as JSON. */
export function resultAsJson(file: string, before: string, outcome: EditResult): Record<string, unknown> {
  const { status, explanation } = outcome;
  if (outcome.status === "refused") {
    return { status, file, code: outcome.refusal.code, detail: refusalText(outcome.refusal), explanation };
  }
  if (outcome.status === "no-change") return { status, file, explanation };
  return { status, file, diff: diffOf(file, before, outcome.result), notes: outcome.notes, explanation };
}

/** The result of an edit of several files as text for a person. */
export function filesResultAsText(outcome: FilesResult, colour: boolean): string {
  const explanation = outcome.explanation === "" ? "" : `\n${escapeControls(outcome.explanation)}\n`;
  if (outcome.status === "no-change") return `The model changes nothing.\n${explanation}`;
  if (outcome.status === "refused") {
    const reasons = outcome.refusals.map((each) => `${escapeControls(fileRefusalText(each))}\n`).join("");
    return `${reasons}No file was changed.\n${explanation}`;
  }
  const diffs = outcome.files.map(({ name, source, result, notes }) => {
    const title = source.hash === NO_FILE ? `New file: ${name}\n` : "";
    return title + formatDiff(name, source.text, result, colour) + notes.map((note) => `note: ${note}\n`).join("");
  });
  return diffs.join("") + explanation;
}

/** The result of an edit of several files as JSON. */
export function filesResultAsJson(outcome: FilesResult): Record<string, unknown> {
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
