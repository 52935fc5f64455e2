import { FORMATS, type Format } from "../../formats/format.ts";
import { TOKEN } from "../../tokens.ts";
import { type Block, expectedText } from "../trials/expected-text.ts";
import { type AnswerLine, answerLines, textOf } from "./answer.ts";
import { LANGUAGES, type Language, randomFile } from "./corpus.ts";
import { elisionLine } from "./elision.ts";
import { CUT_OFF, GLITCHES, NOT_COMBINED } from "./glitch.ts";
import { LAYOUT_SLIPS } from "./layout.ts";
import { type Random, randomOf } from "./random.ts";

export const SLIP_KINDS = ["layout", "glitch", "elision"] as const;
export type SlipKind = (typeof SLIP_KINDS)[number];

/** A generated answer with slips. */
export interface SlipTrial {
  format: Format;
  lang: string;
  current: string;
  /** The answer without slips. */
  clean: string;
  response: string;
  /** The text that the answer means; undefined when no result is right. */
  expected: string | undefined;
  /** The slips that were made. */
  slips: string[];
}

/** The trial of a seed. Layout slips must be applied when `clean` is, glitches applied as meant or refused, elisions refused. */
export function slipTrial(slip: SlipKind, seed: number): SlipTrial {
  const random = randomOf(seed);
  const language = random.pick(LANGUAGES);
  const format = random.pick(FORMATS);
  const file = randomFile(random, language);
  const blocks = randomBlocks(random, language, file, format);
  const lang = random.oneIn(5) ? "" : language.name;
  const lines = answerLines(format, lang, file, blocks);
  const trial = {
    format,
    lang: language.name,
    current: file.join("\n"),
    expected: expectedText(file, blocks),
    clean: `${textOf(lines)}${TOKEN.editEnd}${TOKEN.turnEnd}`,
  };
  const answer = (changed: AnswerLine[], slips: string[]) => ({
    ...trial,
    slips,
    response: textOf(changed) + (slips.includes(CUT_OFF) ? "" : TOKEN.editEnd + TOKEN.turnEnd),
  });
  if (slip === "elision")
    return { ...answer(elide(random, language, lines, format), ["elision"]), expected: undefined };
  if (slip === "layout") {
    const slips = [...new Set([random.pick(Object.keys(LAYOUT_SLIPS)), random.pick(Object.keys(LAYOUT_SLIPS))])];
    return answer(
      slips.reduce((made, name) => LAYOUT_SLIPS[name]?.(made, random, language) ?? made, lines),
      slips,
    );
  }
  const other = random.pick(LANGUAGES.filter(({ name }) => name !== language.name));
  const otherFile = randomFile(random, other);
  const extras = {
    second: answerLines(format, lang, file, otherVersion(random, language, file, blocks, format)),
    other: answerLines(format, other.name, otherFile, randomBlocks(random, other, otherFile, format)),
  };
  const [slip1, slip2] = [random.pick(Object.keys(GLITCHES)), random.pick(Object.keys(GLITCHES))];
  const slips =
    [slip1, slip2].some((each) => NOT_COMBINED.includes(each)) || !random.oneIn(4) ? [slip1] : [slip1, slip2];
  return answer(
    slips.reduce((made, name) => GLITCHES[name]?.(made, random, extras) ?? made, lines),
    slips,
  );
}

/** One to three edits of different places of a file; for a whole file one block with all lines. */
function randomBlocks(random: Random, language: Language, file: readonly string[], format: Format): Block[] {
  const blocks: Block[] = [];
  let free = 0;
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const start = free + random.below(4);
    const end = start + 1 + random.below(3);
    // The last line stays, so that the result does not depend on the final newline.
    if (end >= file.length) break;
    free = end + 1;
    if (format === "sr" && !occursOnce(file, start, end)) continue;
    // A code block is edited as a whole or not at all, so that the answer has one reading.
    if (splitsFences(file, start, end)) continue;
    blocks.push({ start, end, lines: replacement(random, language) });
  }
  const last = file.length - 1;
  if (blocks.length === 0) blocks.push({ start: last - 1, end: last, lines: replacement(random, language) });
  if (format !== "wf") return blocks;
  return [{ start: 0, end: file.length, lines: (expectedText(file, blocks) ?? "").split("\n") }];
}

/** Another answer for the same lines. */
function otherVersion(
  random: Random,
  language: Language,
  file: readonly string[],
  blocks: readonly Block[],
  format: Format,
): Block[] {
  if (format === "wf") return randomBlocks(random, language, file, format);
  return blocks.map((block) => ({ ...block, lines: replacement(random, language) }));
}

function replacement(random: Random, { pieces }: Language): string[] {
  const plain = pieces.filter((piece) => !/```|~~~|^\d,\d$/.test(piece));
  return Array.from({ length: 1 + random.below(3) }, () => `${random.pick(plain)}${random.pick(["", "2"])}`);
}

function occursOnce(file: readonly string[], start: number, end: number): boolean {
  const search = file.slice(start, end);
  const places = file.filter((_, at) => search.every((line, offset) => file[at + offset] === line));
  return places.length === 1 && search.some((line) => line.trim() !== "");
}

const splitsFences = (file: readonly string[], start: number, end: number) =>
  file.slice(start, end).some((line) => /^(?:```|~~~)/.test(line));

/** The answer with some new lines replaced by one that stands for them. */
function elide(random: Random, language: Language, lines: readonly AnswerLine[], format: Format): AnswerLine[] {
  const places = lines.flatMap(({ kind }, at) => (kind === "content" ? [at] : []));
  const first = random.below(places.length);
  const count = format === "wf" ? Math.max(1, random.below(places.length - first + 1)) : random.below(2);
  const from = places[first] as number;
  // Only lines of one block.
  const end = lines.findIndex(({ kind }, at) => at >= from && kind !== "content");
  const line = elisionLine(random, language, lines[from]?.text ?? "");
  // Python's body of something new.
  const text = line.trim() === "..." && lines[from - 1]?.text.endsWith(":") ? "# ..." : line;
  return lines.toSpliced(from, Math.min(count, end - from), { kind: "content", text });
}
