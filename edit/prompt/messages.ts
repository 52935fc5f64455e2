import { WorkbenchError } from "../../robot/wire/errors.ts";
import { fencedBlock, rangeBlock, searchBlock } from "../formats/fence.ts";
import type { Format } from "../formats/format.ts";
import { type ChatMessage, type CodeItem, parseSample, type Sample } from "../sample.ts";
import type { Hunk } from "../text/difflib.ts";
import { expandToUnique } from "../text/expand-to-unique.ts";
import { refuseControlTokens, TOKEN } from "../tokens.ts";
import { mergeNeighbours, recordedChanges } from "./recorded-changes.ts";

export interface PrepareOptions {
  /** Further tokens to refuse, for example the added tokens of a tokenizer. */
  tokens?: readonly string[];
}

/** Whole file: a turn for each older version, oldest first. */
export function prepareInputForWf(sample: Sample, options: PrepareOptions = {}): ChatMessage[] {
  return conversation(sample, options, (older) => codeBlock(older.lang, older.code), plain);
}

/** Locate and change: each step back as ranges of the newer text with the older lines; `current` carries line numbers. */
export function prepareInputForLc(sample: Sample, options: PrepareOptions = {}): ChatMessage[] {
  const step = (older: CodeItem, newer: CodeItem) => {
    const [newLines, oldLines] = [newer.code.split("\n"), older.code.split("\n")];
    const block = ({ aStart, aEnd, bStart, bEnd }: Hunk) =>
      rangeBlock(older.lang, aStart, aEnd, oldLines.slice(bStart, bEnd).join("\n"));
    return recordedChanges(newLines, oldLines).map(block).join("\n");
  };
  return conversation(sample, options, step, numbered);
}

/** Search and replace: each step forward as older lines, separator, newer lines. */
export function prepareInputForSr(sample: Sample, options: PrepareOptions = {}): ChatMessage[] {
  const step = (older: CodeItem, newer: CodeItem) => {
    const [newLines, oldLines] = [newer.code.split("\n"), older.code.split("\n")];
    const grown = mergeNeighbours(expandToUnique(newLines, recordedChanges(newLines, oldLines)));
    // A range of the older text may reach before its first line; slice() then counts from the end, as Python's does.
    const block = ({ aStart, aEnd, bStart, bEnd }: Hunk) =>
      searchBlock(older.lang, oldLines.slice(bStart, bEnd).join("\n"), newLines.slice(aStart, aEnd).join("\n"));
    return grown.map(block).join("\n");
  };
  return conversation(sample, options, step, plain);
}

export function prepareInput(sample: Sample, format: Format, options: PrepareOptions = {}): ChatMessage[] {
  return { wf: prepareInputForWf, lc: prepareInputForLc, sr: prepareInputForSr }[format](sample, options);
}

/**
 * Validates a sample from outside, and that none of its texts has a control token.
 * @throws WorkbenchError `bad-request`, `control-token` with the place
 */
export function parseSampleWithoutControlTokens(value: unknown, tokens?: readonly string[]): Sample {
  const sample = parseSample(value);
  const { history, current, user } = sample;
  [...history, current].forEach((item, index) => {
    const place = item === current ? "current" : `history[${index}]`;
    refuseControlTokens(item.code, `${place}.code`, tokens);
    refuseControlTokens(item.lang, `${place}.lang`, tokens);
  });
  refuseControlTokens(user, "user", tokens);
  return sample;
}

function conversation(
  value: Sample,
  { tokens }: PrepareOptions,
  historyTurn: (older: CodeItem, newer: CodeItem) => string,
  currentTurn: (code: string) => string,
): ChatMessage[] {
  const sample = parseSampleWithoutControlTokens(value, tokens);
  const { history, current, user } = sample;
  const versions = [...history, current];
  const turns: ChatMessage[] = history.map((older, index) => ({
    role: "history",
    content: historyTurn(older, versions[index + 1] as CodeItem),
  }));
  turns.push({ role: "current", content: codeBlock(current.lang, currentTurn(markTarget(current.code, sample.loc))) });
  if (user !== "") turns.push({ role: "user", content: user });
  return turns;
}

/**
 * Marks the target area in the code: a cursor, or the two ends of a selection.
 * @throws WorkbenchError `bad-request` when `loc` lies outside the code or runs backwards
 */
function markTarget(code: string, loc: Sample["loc"]): string {
  if (loc === undefined || loc === null) return code;
  const points = Array.from(code);
  const [start, end] = typeof loc === "number" ? [loc, loc] : loc;
  if (start > end || end > points.length) {
    const range = `0 to ${points.length}, the length of current.code in code points`;
    throw new WorkbenchError("bad-request", `loc is ${JSON.stringify(loc)}; it must lie within ${range}.`);
  }
  const text = (from: number, to?: number) => points.slice(from, to).join("");
  if (typeof loc === "number") return text(0, start) + TOKEN.target + text(start);
  return text(0, start) + TOKEN.targetStart + text(start, end) + TOKEN.targetEnd + text(end);
}

const codeBlock = (lang: string, code: string) => fencedBlock(lang.toLowerCase(), code);

const plain = (code: string) => code;

const numbered = (code: string) =>
  code
    .split("\n")
    .map((line, index) => `${index + 1} ${line}`)
    .join("\n");
