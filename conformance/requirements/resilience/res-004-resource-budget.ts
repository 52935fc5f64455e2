import {
  type DynamicRequirement,
  decidedAspect,
  describeEnd,
  endedByItself,
  inconclusive,
  judgeByAspects,
  notApplicable,
  observe,
} from "../requirement.ts";

const MEGABYTE = 1e6;
/** What a small computer has left beside the daemon. */
const CPU_SHARE = 0.6;
const MEMORY_BYTES = 600 * MEGABYTE;
const LINES_PER_S = 20;
/** Seconds below which the figures say little. */
const SHORTEST_S = 3;

export const resourceBudget: DynamicRequirement = {
  id: "RES-004",
  level: "SHOULD",
  section: "3",
  title: "Processor, memory and log stay within their budget (over 8 s; 4 s with --tier short, 60 s with --thorough)",
  mutants: ["RES-004-talks-all-the-time", "RES-004-burns-the-processor", "RES-004-fills-memory"],
  testRuns: ["first-run"],
  judge({ appRuns }) {
    const [run] = appRuns;
    const usage = run?.usage ?? null;
    if (run === undefined || usage === null) return inconclusive("The app did not connect, so it was not measured.");
    if (usage.seconds < SHORTEST_S) {
      const fact = `The app ${describeEnd(run)} after ${usage.seconds.toFixed(1)} s, too early to measure it.`;
      return endedByItself(run) ? notApplicable(fact) : inconclusive(fact);
    }
    const figures = [
      { name: "processor", value: 100 * usage.cpu, unit: "%", limit: 100 * CPU_SHARE },
      { name: "memory", value: usage.memory / MEGABYTE, unit: "MB", limit: MEMORY_BYTES / MEGABYTE },
      { name: "log", value: usage.lineRate, unit: "lines/s", limit: LINES_PER_S },
    ];
    const seconds = usage.seconds.toFixed(0);
    return judgeByAspects(
      figures.map(({ name, value, unit, limit }) => {
        const isHigh = value > limit;
        const message = `Over ${seconds} s the app's ${name} was ${value.toFixed(1)} ${unit}; the budget is ${limit} ${unit}.`;
        const met = observe(run, `over ${seconds} s: ${name} ${value.toFixed(1)} ${unit}`);
        return decidedAspect(name, !isHigh, met, { message, testRun: run.testRun });
      }),
      figures,
    );
  },
};
