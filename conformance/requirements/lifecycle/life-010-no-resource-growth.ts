import type { AppRun } from "../../evidence/app-run.ts";
import type { CycleFacts, UsageSample } from "../../evidence/evidence.ts";
import { TOO_BUSY } from "../../runner/host.ts";
import { type Aspect, type DynamicRequirement, endedByItself, judgeByAspects, type Violation } from "../requirement.ts";

const MEGABYTE = 1e6;
/** Growth for each restart that is within the noise: bytes, descriptors. */
const MEMORY_NOISE = 2 * MEGABYTE;
const DESCRIPTOR_NOISE = 0.5;
/** Growth within one run that is too much: bytes in all and each second; descriptors each second. */
const RUN_MEMORY = 10 * MEGABYTE;
const RUN_MEMORY_RATE = 1 * MEGABYTE;
const RUN_DESCRIPTOR_RATE = 1;
/** Files each second of one run that are too many: more than a thousand in an hour. */
const RUN_FILE_RATE = 0.3;
/** Bytes on the disk each second of one run that are too many: more than a picture of the camera at 24 Hz; 7 GB in an hour. */
const RUN_BYTE_RATE = 2 * MEGABYTE;
/** Seconds at the beginning of a run, besides those without a processor, in which an app may load what it uses. */
const WARM_UP = 2;
/** Samples below which a slope says little. */
const FEWEST_SAMPLES = 5;
/** Measured restarts below which growth says little. */
const FEWEST_RESTARTS = 4;

export const noResourceGrowth: DynamicRequirement = {
  id: "LIFE-010",
  level: "SHOULD",
  section: "3",
  title: "Over restarts and during a long run, memory, descriptors and files do not grow",
  mutants: [
    "LIFE-010-temporary-files",
    "LIFE-010-keeps-more-each-time",
    "LIFE-010-opens-more-each-time",
    "LIFE-010-leaks-memory",
    "LIFE-010-leaks-descriptors",
    "LIFE-010-leaks-files",
    "LIFE-010-writes-without-end",
  ],
  testRuns: ["restart-cycles", "first-run"],
  judge({ appRuns, facts: { cycles = [], usageSamples = [] } }) {
    const run = appRuns.find(({ testRun }) => testRun === "first-run");
    // The first cycle may create what later ones use.
    const later = cycles.slice(1);
    const files = slope(later.map(({ files: count }) => count));
    const memory = steadyGrowth(later.flatMap(({ memoryBytes }) => memoryBytes ?? []));
    return judgeByAspects(
      [overRestarts(cycles, files, memory), duringOneRun(usageSamples, run)],
      [
        { name: "files left each restart", value: files, unit: "", limit: 1 },
        { name: "memory each restart", value: memory / MEGABYTE, unit: "MB", limit: MEMORY_NOISE / MEGABYTE },
      ],
    );
  },
};

function overRestarts(cycles: readonly CycleFacts[], files: number, memory: number): Aspect {
  const testRun = "restart-cycles";
  const descriptors = steadyGrowth(cycles.slice(1).flatMap(({ descriptors: open }) => open ?? []));
  const enough = cycles.length >= 3;
  const [left, more, held] = [files.toFixed(1), (memory / MEGABYTE).toFixed(1), descriptors.toFixed(1)];
  const grows = (isHigh: boolean, what: string, advice: string): Violation[] => {
    const message = `Over ${cycles.length} starts and stops, ${what} each time. ${advice}`;
    return enough && isHigh ? [{ message, testRun }] : [];
  };
  const text = `over ${cycles.length} starts and stops: ${left} files, ${more} MB, ${held} descriptors more each time`;
  return {
    name: "restarts",
    met: enough ? [{ text, testRun, t: null }] : [],
    violations: [
      ...grows(files >= 1, `the app left ${left} files`, "Remove temporary files, or use TemporaryDirectory."),
      ...grows(memory > MEMORY_NOISE, `it took ${more} MB more`, "What it keeps in files must not grow without end."),
      ...grows(descriptors > DESCRIPTOR_NOISE, `it held ${held} descriptors more`, "Close what it opens."),
    ],
    unobserved: `the app was started ${cycles.length} times`,
  };
}

function duringOneRun(samples: readonly UsageSample[], run: AppRun | undefined): Aspect {
  const testRun = "first-run";
  const later = samples.filter(({ t, waited }) => t - waited - (samples[0]?.t ?? 0) >= WARM_UP);
  const [first, last] = [later[0], later.at(-1)];
  const name = "one long run";
  const isStarved = (samples.at(-1)?.waited ?? 0) >= WARM_UP;
  const tooBusy = { name, met: [], violations: [], unobserved: `${TOO_BUSY} to measure one run` };
  if (first === undefined || last === undefined || later.length < FEWEST_SAMPLES) {
    if (isStarved) return tooBusy;
    const isBrief = samples.length > 0 || (run !== undefined && endedByItself(run));
    const ended = isBrief ? "the app ended before it could be measured long enough" : null;
    return { name, met: [], violations: [], notApplicable: ended, unobserved: "not measured" };
  }
  const interval = (last.t - first.t) / (later.length - 1);
  const rate = slope(later.map(({ memory }) => memory)) / interval;
  const descriptorRate = slope(later.map(({ descriptors }) => descriptors)) / interval;
  const fileRate = slope(later.map(({ files }) => files)) / interval;
  const byteRate = slope(later.map(({ bytes }) => bytes)) / interval;
  const grown = last.memory - first.memory;
  // What is left of the run is too short for growth of this rate to reach the limit.
  if (isStarved && rate > RUN_MEMORY_RATE && grown <= RUN_MEMORY) return tooBusy;
  const span = `${(last.t - first.t).toFixed(0)} s of one run`;
  const rates = `${(rate / MEGABYTE).toFixed(2)} MB/s, ${descriptorRate.toFixed(2)} descriptors/s, ${fileRate.toFixed(2)} files/s, ${(byteRate / MEGABYTE).toFixed(2)} MB/s on the disk`;
  const grows = (isHigh: boolean, what: string, advice: string): Violation[] =>
    isHigh ? [{ message: `In ${span}, ${what}. ${advice}`, testRun, t: last.t }] : [];
  return {
    name,
    met: [{ text: `over ${span}: ${rates}`, testRun, t: last.t }],
    violations: [
      ...grows(
        rate > RUN_MEMORY_RATE && grown > RUN_MEMORY,
        `its memory grew by ${(grown / MEGABYTE).toFixed(0)} MB`,
        "Drop what the loop does not need any more.",
      ),
      ...grows(
        descriptorRate > RUN_DESCRIPTOR_RATE,
        `it opened ${descriptorRate.toFixed(1)} descriptors a second more than it closed`,
        "Close what it opens.",
      ),
      ...grows(
        fileRate > RUN_FILE_RATE,
        `it left ${fileRate.toFixed(1)} files a second`,
        "Remove temporary files while it runs.",
      ),
      ...grows(
        byteRate > RUN_BYTE_RATE,
        `its files grew by ${(byteRate / MEGABYTE).toFixed(1)} MB a second`,
        "Limit what it keeps: rotate logs, and delete what is old.",
      ),
    ],
    unobserved: "not measured",
  };
}

/** The slope of values that never fall, as those of a leak; 0 for others and for few, which may be chance. */
export function steadyGrowth(values: readonly number[]): number {
  const neverFalls = values.every((value, index) => value >= (values[index - 1] ?? 0));
  return neverFalls && values.length >= FEWEST_RESTARTS ? slope(values) : 0;
}

/** The change from one value to the next: the median slope of all pairs (Theil and Sen), which single outliers do not move; 0 for fewer than two values. */
export function slope(values: readonly number[]): number {
  const slopes = values.flatMap((from, index) =>
    values.slice(index + 1).map((to, distance) => (to - from) / (distance + 1)),
  );
  slopes.sort((one, other) => one - other);
  const middle = Math.floor(slopes.length / 2);
  const [below = 0, above = 0] = [slopes[slopes.length % 2 === 0 ? middle - 1 : middle], slopes[middle]];
  return (below + above) / 2;
}
