import fc from "fast-check";
import { fenced, rangeBlock, searchBlock } from "../formats/fence.ts";
import type { Convention, Format } from "../formats/format.ts";
import { TOKEN } from "../tokens.ts";
import { MUTATIONS } from "./mutations.ts";
import { type Block, expectedText } from "./oracle.ts";

/** A generated answer and the one text that may come of it; undefined when it has to be refused. */
export interface Trial {
  format: Format;
  convention: Convention;
  current: string;
  response: string;
  expected: string | undefined;
}

const text = fc.constantFrom("a", "b", "c", "  d", "    e", "\tf", "g = 1", "# h", "```", "1,1");
const part = fc.record({ gap: fc.nat(3), size: fc.nat(3), lines: fc.array(text, { minLength: 1, maxLength: 3 }) });

/** A number in one trial out of six, else null. */
const seldom = (most: number) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(most) });

/** The material of a trial: a file, edits that stand apart in it, and a mutation. */
const material = fc
  .record({
    file: fc.array(text, { minLength: 3, maxLength: 12 }),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    kind: fc.constantFrom(...Object.keys(MUTATIONS)),
    pick: fc.nat(2),
    by: fc.integer({ min: -4, max: 4 }),
    convention: fc.constantFrom<Convention>("inclusive", "slice"),
    cut: seldom(400),
    named: fc.boolean(),
    lose: seldom(20),
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

/** The lines that hold an answer's blocks together. */
const STRUCTURE = /^(```|\d+,\d+$|<\|search_and_replace\|>$)/;

/**
 * The answer, perhaps without one of the lines that hold it together, perhaps cut short. Neither may be applied; a cut
 * answer that still has its closing token is whole.
 * @param content the lines of code in it: where one of them could pass for structure, none is lost
 */
function finish(
  trial: Omit<Trial, "response">,
  body: string,
  content: readonly string[],
  { cut, lose }: { cut: number | null; lose: number | null },
): Trial {
  const lines = body.split("\n");
  const structure = lines.flatMap((line, at) => (STRUCTURE.test(line) ? [at] : []));
  const loses = lose !== null && !content.some((line) => STRUCTURE.test(line));
  const kept = loses ? lines.toSpliced(structure[lose % structure.length] as number, 1) : lines;
  const whole = `${kept.join("\n")}${TOKEN.editEnd}\nWhy.${TOKEN.turnEnd}`;
  const response = cut === null ? whole : whole.slice(0, cut);
  return { ...trial, response, expected: loses || !response.includes(TOKEN.editEnd) ? undefined : trial.expected };
}

export const rangeTrial: fc.Arbitrary<Trial> = material.map(
  ({ file, list, kind, pick, by, convention, named, ...harm }) => {
    const blocks = MUTATIONS[kind]?.(list, pick, by) ?? list;
    const said = ({ start, end, lines }: Block) =>
      rangeBlock(named ? "text" : "", convention === "slice" ? start : start + 1, end, lines.join("\n"));
    const possible = convention === "slice" || blocks.every(({ start, end }) => start < end);
    const trial = { format: "lc" as const, convention, current: file.join("\n") };
    const expected = possible ? expectedText(file, blocks) : undefined;
    return finish(
      { ...trial, expected },
      blocks.map(said).join("\n"),
      blocks.flatMap(({ lines }) => lines),
      harm,
    );
  },
);

/** Searches are taken from the file where the mutation leaves them, and may be indented one level off. */
export const searchTrial: fc.Arbitrary<Trial> = material.map(({ file, list, kind, pick, by, named, ...harm }) => {
  const blocks = (kind === "re-indent" ? list : (MUTATIONS[kind]?.(list, pick, by) ?? list)).map((block) => {
    return { ...block, search: file.slice(Math.max(0, block.start), Math.max(0, block.end)) };
  });
  const indent = kind === "re-indent" ? "    " : "";
  const moved = (lines: string[]) => lines.map((line) => indent + line).join("\n");
  const said = blocks.map(({ search, lines }) => searchBlock(named ? "text" : "", moved(search), moved(lines)));
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
  return finish({ ...trial, expected: expectedText(file, found) }, said.join("\n"), content, harm);
});

/** A whole file, said once or twice. */
export const fileTrial: fc.Arbitrary<Trial> = material.map(({ file, list, kind, cut, lose }) => {
  const after = expectedText(file, list) ?? "";
  const block = fenced("text", after);
  const body = kind === "duplicate" ? `${block}\n${block}` : block;
  const trial = { format: "wf" as const, convention: "inclusive" as const, current: file.join("\n") };
  if (kind === "duplicate") return finish({ ...trial, expected: undefined }, body, [], { cut, lose: null });
  return finish({ ...trial, expected: after }, body, after.split("\n"), { cut, lose });
});
