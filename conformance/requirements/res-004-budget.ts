import type { DynamicRequirement } from "./requirement.ts";

const MEGABYTE = 1e6;
/** Share of a processor, bytes, lines a second: what a small computer has left beside the daemon. */
const CPU = 0.6;
const MEMORY = 600 * MEGABYTE;
const LINES = 20;
/** Seconds below which figures say little. */
const SHORTEST = 3;

export const budget: DynamicRequirement = {
  id: "RES-004",
  level: "SHOULD",
  section: "3",
  title: "Processor, memory and log stay within their budget (over 8 s; 60 s with --thorough)",
  mutants: ["RES-004-talks-all-the-time"],
  scenes: ["first-run"],
  judge({ runs }) {
    const usage = runs[0]?.usage ?? null;
    if (usage === null || usage.seconds < SHORTEST) return { skip: `The app did not run for ${SHORTEST} s.` };
    const figures = [
      { name: "processor", value: (100 * usage.cpu) / usage.seconds, unit: "%", limit: 100 * CPU },
      { name: "memory", value: usage.memory / MEGABYTE, unit: "MB", limit: MEMORY / MEGABYTE },
      { name: "log", value: usage.lines / usage.seconds, unit: "lines/s", limit: LINES },
    ];
    return {
      observed: figures
        .filter(({ value, limit }) => value > limit)
        .map(({ name, value, unit, limit }) => ({
          message: `Over ${usage.seconds.toFixed(0)} s the app's ${name} was ${value.toFixed(0)} ${unit}; the budget is ${limit} ${unit}.`,
          scene: "first-run",
        })),
      measured: figures,
    };
  },
};
