// Measures parsing and applying a code model's edits, without syntax checks.
import type { Format } from "../../edit/index.ts";
import { built } from "../../scripts/setup/built.mjs";
import { figure, median, section } from "./figures.ts";

const LINES = 10_000;

export async function benchEdit() {
  section("Edits of a code model");
  const edit = await built("edit/index.js");
  for (const format of edit.FORMATS) {
    const { bytes, ms } = await timeApply(edit, format);
    figure(`${format}: read and apply`, `${(bytes / 1000 / ms).toFixed(0)} MB/s of file`);
    figure(`${format}: one edit in ${LINES} lines, p50`, `${ms.toFixed(1)} ms`);
    figure(`${format}: prompts of 100 lines with history`, `${(await promptRate(edit, format)).toFixed(0)} /s`);
  }
  const { findLines } = await built("edit/apply/resolve/search.js");
  const growth = (await timeSearch(findLines, 160_000)) / (await timeSearch(findLines, 40_000));
  for (const [what, ms] of await timeRepetitive(edit))
    figure(`${what}, ${REPETITIVE} similar lines`, `${ms.toFixed(0)} ms`);
  figure("sr: search in a file 4 times as long takes", `${growth.toFixed(1)} times as long`);
}

type Edit = typeof import("../../edit/index.ts");
const fileOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `    value_${at} = compute(${at}, scale=${at % 7})`).join("\n");

async function timeApply({ applyEdit, renderResponse }: Edit, format: Format) {
  const before = fileOf(LINES);
  const after = before.replace("value_5000 =", "renamed =");
  const response = renderResponse(before, after, { format, lang: "text" });
  const times = await timesOf(25, async () => {
    const outcome = await applyEdit(before, response, { format, lang: "text" });
    if (outcome.status !== "applied" || outcome.result !== after) throw new Error(`${format} was not applied`);
  });
  return { bytes: before.length, ms: median(times) };
}

async function promptRate({ renderPrompt }: Edit, format: Format) {
  const item = (code: string) => ({ type: "code" as const, lang: "python", code });
  const [older, current] = [item(fileOf(100)), item(fileOf(100).replace("value_50 ", "renamed "))];
  const sample = { history: [older], current, user: "Go on." };
  return 1000 / median(await timesOf(200, () => renderPrompt(sample, { format })));
}

/** Lines of the file that repeats itself. */
const REPETITIVE = 20_000;

/**
 * The slowest inputs of the steps that search: all of them took 19 s to 172 s when each place was compared with each other.
 */
async function timeRepetitive({ applyEdit, renderPrompt, FORMATS }: Edit): Promise<[string, number][]> {
  const lines = Array.from({ length: REPETITIVE }, (_, at) => `    move(${(at * 7919 + ((at * at) % 131)) % 120})`);
  const text = lines.join("\n");
  const older = lines.map((line, at) => (at % 500 === 7 ? "    rest()" : line)).join("\n");
  const item = (code: string) => ({ type: "code" as const, lang: "text", code });
  const sample = { history: [item(older)], current: item(text), user: "" };
  const answer = (search: string[]) => `\`\`\`\n${search.join("\n")}\n<|search_and_replace|>\nx\n\`\`\`<|next_end|>`;
  const drifted = lines.slice(0, REPETITIVE / 4).map((line) => line.trim());
  const apply = (current: string, search: string[]) =>
    applyEdit(current, answer(search), { format: "sr", lang: "text" });
  const same = new Array(REPETITIVE).fill("    pass").join("\n");
  const cases: [string, () => unknown][] = [
    ...FORMATS.map(
      (format) => [`${format}: history`, () => renderPrompt(sample, { format })] as [string, () => unknown],
    ),
    ["sr: search that fails", () => apply(text, [...drifted, "return"])],
    ["sr: search failing everywhere", () => apply(same, [...new Array(REPETITIVE / 4).fill("pass"), "return"])],
    ["sr: indentation drift", () => apply(text, drifted)],
    ["sr: drift fitting everywhere", () => apply(same, new Array(REPETITIVE / 4).fill("pass"))],
  ];
  const times: [string, number][] = [];
  for (const [what, work] of cases) times.push([what, median(await timesOf(3, work))]);
  return times;
}

/** The shortest of several times to search a file that almost matches at every line. */
async function timeSearch(findLines: (search: string[], file: string[]) => unknown, count: number) {
  const file = new Array(count).fill("pass");
  const search = [...new Array(count / 10).fill("pass"), "return"];
  return Math.min(...(await timesOf(40, () => findLines(search, file))));
}

async function timesOf(runs: number, work: () => unknown) {
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}
