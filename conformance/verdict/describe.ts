import type { AppTests } from "./verdict.ts";

/** The outcomes of an app's own tests and their time, as `3 passed, 1 failed in 2.1 s`. */
export function countAppTests({ passed, failed, skipped, duration }: AppTests): string {
  const counts = { passed, failed, skipped };
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  return `${parts.join(", ") || "none ran"} in ${duration.toFixed(1)} s`;
}
