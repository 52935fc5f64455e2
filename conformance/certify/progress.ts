import type { Progress } from "./gather.ts";

const BAR = 20;
const PERIOD_MS = 200;

/**
 * Shows how far a certification is: the steps that run, a bar, the time so far. On a terminal one line that changes,
 * elsewhere a line for each step that is done.
 */
export function showProgress(
  write: (text: string) => void,
  live: boolean,
  now: () => number,
): Progress & { close(): void } {
  const began = now();
  const running = new Set<string>();
  let [done, planned] = [0, 1];
  const elapsed = () => `${((now() - began) / 1000).toFixed(live ? 0 : 1)} s`;
  const draw = () => {
    const filled = Math.min(BAR, Math.round((BAR * done) / Math.max(planned, 1)));
    const bar = `${"█".repeat(filled)}${"░".repeat(BAR - filled)}`;
    write(`\r\x1b[K${bar} ${done}/${planned} ${elapsed()} ${[...running].join(", ")}`);
  };
  const timer = live ? setInterval(draw, PERIOD_MS) : undefined;
  return {
    plan: (steps) => {
      planned += steps;
    },
    begin: (step) => void running.add(step),
    end: (step) => {
      if (!running.delete(step)) return;
      done += 1;
      if (!live) write(`${done}/${planned} ${step} (${elapsed()})\n`);
    },
    close: () => {
      clearInterval(timer);
      if (live) write("\r\x1b[K");
    },
  };
}
