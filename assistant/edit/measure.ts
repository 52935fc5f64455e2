import { applyEdit } from "./apply/apply.ts";
import { findLines } from "./apply/resolve/search.ts";
import { FORMATS, type Format } from "./formats/format.ts";
import { renderResponse } from "./formats/render/render-response.ts";
import { renderPrompt } from "./prompt/render-prompt.ts";

/** A figure of `npm run bench`, with its unit. */
export interface Figure {
  what: string;
  value: string;
}

/** Returns milliseconds, for example `performance.now`. */
type Clock = () => number;

const LINES = 10_000;

/** Measures edits of generated texts, without syntax checks. */
export async function measureEdits(clock: Clock): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const format of FORMATS) {
    const { bytes, ms } = await timeApply(clock, format);
    figures.push({ what: `${format}: read and apply`, value: `${(bytes / 1000 / ms).toFixed(0)} MB/s of file` });
    figures.push({ what: `${format}: one edit in ${LINES} lines, p50`, value: `${ms.toFixed(1)} ms` });
    figures.push({
      what: `${format}: prompts of 100 lines with history`,
      value: `${(await promptRate(clock, format)).toFixed(0)} /s`,
    });
  }
  const growth = (await timeSearch(clock, 160_000)) / (await timeSearch(clock, 40_000));
  figures.push({ what: "sr: search in a file 4 times as long takes", value: `${growth.toFixed(1)} times as long` });
  return figures;
}

const fileOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `    value_${at} = compute(${at}, scale=${at % 7})`).join("\n");

async function timeApply(clock: Clock, format: Format): Promise<{ bytes: number; ms: number }> {
  const before = fileOf(LINES);
  const after = before.replace("value_5000 =", "renamed =");
  const response = renderResponse(before, after, { format, lang: "text" });
  const times = await timesOf(clock, 25, async () => {
    const outcome = await applyEdit(before, response, { format, lang: "text" });
    if (outcome.status !== "applied" || outcome.result !== after) throw new Error(`${format} was not applied`);
  });
  return { bytes: before.length, ms: median(times) };
}

async function promptRate(clock: Clock, format: Format): Promise<number> {
  const item = (code: string) => ({ type: "code" as const, lang: "python", code });
  const [older, current] = [item(fileOf(100)), item(fileOf(100).replace("value_50 ", "renamed "))];
  const sample = { history: [older], current, user: "Go on." };
  return 1000 / median(await timesOf(clock, 200, () => renderPrompt(sample, { format })));
}

/** The shortest of several times to search a file that almost matches at every line. */
async function timeSearch(clock: Clock, count: number): Promise<number> {
  const file = new Array<string>(count).fill("pass");
  const search = [...new Array<string>(count / 10).fill("pass"), "return"];
  return Math.min(...(await timesOf(clock, 40, () => findLines(search, file))));
}

async function timesOf(clock: Clock, runs: number, work: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = clock();
    await work();
    times.push(clock() - began);
  }
  return times;
}

const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] as number;
