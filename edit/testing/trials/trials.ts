import fc from "fast-check";
import { fencedBlock, rangeBlock, searchBlock } from "../../formats/fence.ts";
import type { Convention, Format } from "../../formats/format.ts";
import { TOKEN } from "../../tokens.ts";
import { type Block, expectedText } from "./expected-text.ts";
import { MUTATIONS } from "./mutations.ts";

/** A generated answer and its expected result; undefined when it must be refused. */
interface Trial {
  format: Format;
  convention: Convention;
  current: string;
  response: string;
  expected: string | undefined;
}

const text = fc.constantFrom("a", "b", "c", "  d", "    e", "\tf", "g = 1", "# h", "```", "1,1");
const part = fc.record({ gap: fc.nat(3), size: fc.nat(3), lines: fc.array(text, { minLength: 1, maxLength: 3 }) });

/** A number up to `most` in one trial out of six, else null. */
const rarely = (most: number) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(most) });

/** Inputs of a trial: a file, separate edits in it, and a mutation. */
const trialInputs = fc
  .record({
    file: fc.array(text, { minLength: 3, maxLength: 12 }),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    kind: fc.constantFrom(...Object.keys(MUTATIONS)),
    pick: fc.nat(2),
    by: fc.integer({ min: -4, max: 4 }),
    convention: fc.constantFrom<Convention>("inclusive", "slice"),
    cut: rarely(400),
    named: fc.boolean(),
    drop: rarely(20),
  })
  .map(({ parts, ...rest }) => ({ ...rest, list: place(parts, rest.file.length) }))
  .filter(({ list }) => list.length > 0);

function place(parts: { gap: number; size: number; lines: string[] }[], count: number): Block[] {
  const placed: Block[] = [];
  let free = 0;
  for (const { gap, size, lines } of parts) {
    const start = free + gap;
    if (start + size <= count) placed.push({ start, end: start + size, lines });
    free = start + size + 1;
  }
  return placed;
}

/** The lines that separate the blocks of an answer. */
const STRUCTURE = /^(```|\d+,\d+$|<\|search_and_replace\|>$)/;

/**
 * Completes a trial: sometimes the answer lacks one of the lines that separate its blocks, sometimes it is cut. Both must
 * be refused, except for a cut after the closing token.
 * @param content the lines of code in the answer; no line is removed when one of them looks like a separating line
 */
function finish(
  trial: Omit<Trial, "response">,
  body: string,
  content: readonly string[],
  { cut, drop }: { cut: number | null; drop: number | null },
): Trial {
  const lines = body.split("\n");
  const structure = lines.flatMap((line, at) => (STRUCTURE.test(line) ? [at] : []));
  const dropsLine = drop !== null && !content.some((line) => STRUCTURE.test(line));
  const kept = dropsLine ? lines.toSpliced(structure[drop % structure.length] as number, 1) : lines;
  const whole = `${kept.join("\n")}${TOKEN.editEnd}\nWhy.${TOKEN.turnEnd}`;
  const response = cut === null ? whole : whole.slice(0, cut);
  return { ...trial, response, expected: dropsLine || !response.includes(TOKEN.editEnd) ? undefined : trial.expected };
}

export const rangeTrial: fc.Arbitrary<Trial> = trialInputs.map(
  ({ file, list, kind, pick, by, convention, named, ...faults }) => {
    const blocks = MUTATIONS[kind]?.(list, pick, by) ?? list;
    const write = ({ start, end, lines }: Block) =>
      rangeBlock(named ? "text" : "", convention === "slice" ? start : start + 1, end, lines.join("\n"));
    const possible = convention === "slice" || blocks.every(({ start, end }) => start < end);
    const trial = { format: "lc" as const, convention, current: file.join("\n") };
    const expected = possible ? expectedText(file, blocks) : undefined;
    return finish(
      { ...trial, expected },
      blocks.map(write).join("\n"),
      blocks.flatMap(({ lines }) => lines),
      faults,
    );
  },
);

/** The searches are lines of the file at the mutated places; all of them may be indented by one level. */
export const searchTrial: fc.Arbitrary<Trial> = trialInputs.map(({ file, list, kind, pick, by, named, ...faults }) => {
  const blocks = (kind === "re-indent" ? list : (MUTATIONS[kind]?.(list, pick, by) ?? list)).map((block) => {
    return { ...block, search: file.slice(Math.max(0, block.start), Math.max(0, block.end)) };
  });
  const indent = kind === "re-indent" ? "    " : "";
  const indented = (lines: string[]) => lines.map((line) => indent + line).join("\n");
  const written = blocks.map(({ search, lines }) =>
    searchBlock(named ? "text" : "", indented(search), indented(lines)),
  );
  const once = ({ search }: { search: string[] }) => {
    const places = file.flatMap((_, at) => (search.every((line, offset) => file[at + offset] === line) ? [at] : []));
    return search.length > 0 && places.length === 1 ? places[0] : undefined;
  };
  const found = blocks.map((block) => ({
    ...block,
    start: once(block) ?? -1,
    end: (once(block) ?? -1) + block.search.length,
  }));
  const trial = { format: "sr" as const, convention: "inclusive" as const, current: file.join("\n") };
  const content = blocks.flatMap(({ search, lines }) => [...search, ...lines]);
  return finish({ ...trial, expected: expectedText(file, found) }, written.join("\n"), content, faults);
});

/** A whole file, written once or twice. */
export const fileTrial: fc.Arbitrary<Trial> = trialInputs.map(({ file, list, kind, cut, drop }) => {
  const after = expectedText(file, list) ?? "";
  const block = fencedBlock("text", after);
  const body = kind === "duplicate" ? `${block}\n${block}` : block;
  const trial = { format: "wf" as const, convention: "inclusive" as const, current: file.join("\n") };
  if (kind === "duplicate") return finish({ ...trial, expected: undefined }, body, [], { cut, drop: null });
  return finish({ ...trial, expected: after }, body, after.split("\n"), { cut, drop });
});
