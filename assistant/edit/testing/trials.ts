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

/** The material of a trial: a file, edits that stand apart in it, and a mutation. */
const material = fc
  .record({
    file: fc.array(text, { minLength: 3, maxLength: 12 }),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    kind: fc.constantFrom(...Object.keys(MUTATIONS)),
    pick: fc.nat(2),
    by: fc.integer({ min: -4, max: 4 }),
    convention: fc.constantFrom<Convention>("inclusive", "slice"),
    cut: fc.option(fc.nat(400), { freq: 5 }),
    named: fc.boolean(),
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

/** The answer cut short; only one that still has its closing token can be complete. */
function finish(trial: Omit<Trial, "response">, body: string, cut: number | null): Trial {
  const whole = `${body}${TOKEN.editEnd}\nWhy.${TOKEN.turnEnd}`;
  const response = cut === null ? whole : whole.slice(0, cut);
  return { ...trial, response, expected: response.includes(TOKEN.editEnd) ? trial.expected : undefined };
}

export const rangeTrial: fc.Arbitrary<Trial> = material.map(
  ({ file, list, kind, pick, by, convention, cut, named }) => {
    const blocks = MUTATIONS[kind]?.(list, pick, by) ?? list;
    const said = ({ start, end, lines }: Block) =>
      rangeBlock(named ? "text" : "", convention === "slice" ? start : start + 1, end, lines.join("\n"));
    const possible = convention === "slice" || blocks.every(({ start, end }) => start < end);
    const trial = { format: "lc" as const, convention, current: file.join("\n") };
    return finish(
      { ...trial, expected: possible ? expectedText(file, blocks) : undefined },
      blocks.map(said).join("\n"),
      cut,
    );
  },
);

/** Searches are taken from the file where the mutation leaves them, and may be indented one level off. */
export const searchTrial: fc.Arbitrary<Trial> = material.map(({ file, list, kind, pick, by, cut, named }) => {
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
  return finish({ ...trial, expected: expectedText(file, found) }, said.join("\n"), cut);
});

/** A whole file, said once or twice. */
export const fileTrial: fc.Arbitrary<Trial> = material.map(({ file, list, kind, cut }) => {
  const after = expectedText(file, list) ?? "";
  const block = fenced("text", after);
  const body = kind === "duplicate" ? `${block}\n${block}` : block;
  const trial = { format: "wf" as const, convention: "inclusive" as const, current: file.join("\n") };
  return finish({ ...trial, expected: kind === "duplicate" ? undefined : after }, body, cut);
});
