import type { DynamicRequirement } from "./requirement.ts";

const MEGABYTE = 1e6;
/** Bytes and descriptors a cycle that may come and go without a meaning. */
const MEMORY_NOISE = 2 * MEGABYTE;
const DESCRIPTOR_NOISE = 0.5;

export const noGrowth: DynamicRequirement = {
  id: "LIFE-010",
  level: "SHOULD",
  section: "3",
  title: "Started and stopped again and again, memory, descriptors and files do not grow",
  mutants: ["LIFE-010-temporary-files"],
  scenes: ["cycles"],
  judge({ facts: { cycles } }) {
    if (cycles === undefined || cycles.length < 3) return { skip: "The app was not run often enough." };
    // The first cycle may make what later ones use.
    const later = cycles.slice(1);
    const files = slope(later.map(({ files: count }) => count));
    const memory = slope(later.flatMap(({ memory: bytes }) => bytes ?? []));
    const descriptors = slope(later.flatMap(({ descriptors: open }) => open ?? []));
    const grows = (what: string, next: string) => ({
      message: `Over ${cycles.length} starts and stops, ${what} a cycle. ${next}`,
      scene: "cycles",
    });
    return {
      observed: [
        ...(files >= 1
          ? [grows(`the app left ${files.toFixed(1)} files`, "Remove temporary files, or use TemporaryDirectory.")]
          : []),
        ...(memory > MEMORY_NOISE
          ? [
              grows(
                `it took ${(memory / MEGABYTE).toFixed(1)} MB more`,
                "What it keeps in files must not grow without end.",
              ),
            ]
          : []),
        ...(descriptors > DESCRIPTOR_NOISE
          ? [grows(`it held ${descriptors.toFixed(1)} descriptors more`, "Close what it opens.")]
          : []),
      ],
      measured: [
        { name: "files left a cycle", value: files, unit: "", limit: 1 },
        { name: "memory a cycle", value: memory / MEGABYTE, unit: "MB", limit: MEMORY_NOISE / MEGABYTE },
      ],
    };
  },
};

/** The change from one to the next, by least squares; 0 for fewer than two values. */
export function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return spread === 0 ? 0 : values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0) / spread;
}
