import { LiveLine } from "../../common/live-line.ts";
import type { CertificationProgress } from "./collect-evidence.ts";

const BAR_WIDTH = 20;

/**
 * Shows the progress of a certification: a bar, the time, the steps that run and the requirements that are violated so
 * far. On a terminal this is one line that changes, elsewhere one line for each step that has ended.
 */
export function showProgress(
  write: (text: string) => void,
  live: boolean,
  now: () => number,
): CertificationProgress & { close(): void } {
  const startedAt = now();
  const running = new Set<string>();
  const reported = new Set<string>();
  let violated: readonly string[] = [];
  let [done, planned] = [0, 1];
  const elapsed = () => `${((now() - startedAt) / 1000).toFixed(live ? 0 : 1)} s`;
  const line = new LiveLine(write, live);
  line.redraw(() => {
    const filled = Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * done) / Math.max(planned, 1)));
    const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
    const violations = violated.length === 0 ? "" : ` violated so far: ${violated.join(", ")};`;
    return `${bar} ${done}/${planned} ${elapsed()}${violations} running: ${[...running].join(", ")}`;
  });
  return {
    plan: (steps) => {
      planned += steps;
    },
    begin: (step) => {
      running.add(step);
    },
    end: (step) => {
      if (!running.delete(step)) return;
      done += 1;
      if (!live) write(`${done}/${planned} ${step} (${elapsed()})\n`);
    },
    reportViolated: (ids) => {
      violated = ids;
      for (const id of ids) {
        if (!live && !reported.has(id)) write(`violated: ${id} (${elapsed()})\n`);
        reported.add(id);
      }
    },
    close: () => line.close(),
  };
}
