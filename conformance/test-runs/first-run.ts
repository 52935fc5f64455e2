import type { UsageSample } from "../evidence/evidence.ts";
import { countFiles } from "../runner/observe/folder-size.ts";
import type { LiveAppRun } from "../runner/observe/live-app-run.ts";
import { processorShare, starvedSeconds } from "../runner/observe/processor-share.ts";
import { portIsFree } from "../runner/ports.ts";
import type { TestBed } from "../runner/test-bed.ts";
import type { Thoroughness } from "../runner/thoroughness.ts";
import { fetchPage } from "./page/fetch-page.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

/** Seconds that the app runs. */
const SECONDS: Readonly<Record<Thoroughness, number>> = { short: 4, default: 8, thorough: 60 };
const SAMPLE_S = 0.5;
/** Seconds in which an app may print as much as it likes: it starts, or reports something. */
const BURST_S = 2;
const PORT_FREE_S = 2;

/** Started over HTTP, left alone for a while, then stopped. */
export const firstRun: TestRunPlan = {
  id: "first-run",
  title: "Start, run, stop",
  seconds: 13,
  async execute(bed) {
    const { app, thoroughness } = bed.options;
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "connected")) {
      const page = app.page === null ? null : fetchPage(app.page, run, bed);
      await measureUsage(bed, run, SECONDS[thoroughness]);
      if (page !== null) bed.facts.page = await page;
    }
    await bed.stop(run, "stop", async () => {
      // A port that was never taken is no proof that it was freed.
      if (app.page === null || (bed.facts.page?.availableAfter ?? null) === null) return;
      const { port } = app.page;
      const free = bed.waitFor(PORT_FREE_S, "the port is free", () => portIsFree(port));
      bed.facts.portFreed = await free.catch(() => false);
    });
  },
};

/**
 * Lets the app run and measures what it uses.
 *
 * @param seconds without those in which it waited for a processor; twice as many with them
 */
async function measureUsage(bed: TestBed, run: LiveAppRun, seconds: number): Promise<void> {
  const [before, since] = [bed.log.usage, bed.now()];
  const lines = [run.lines];
  const samples: UsageSample[] = [];
  let waited = 0;
  const remaining = () => seconds + Math.min(waited, seconds) - (bed.now() - since);
  while (!run.hasEnded && remaining() > SAMPLE_S / 2) {
    await bed.letRun(run, SAMPLE_S);
    lines.push(run.lines);
    const files = await countFiles(bed.rig.appFolders.scratch);
    const bytes = await bed.bytesWritten();
    const used = bed.measure(run);
    waited = starvedSeconds(before, bed.log.usage);
    if (used !== null && !run.hasEnded) samples.push({ t: bed.now(), waited, ...used, files, bytes });
  }
  await bed.randomDelay(0, 0.02);
  const after = bed.log.usage;
  bed.facts.usageSamples = samples;
  run.usage = {
    seconds: (run.exitedAt ?? bed.now()) - since,
    cpu: processorShare(before, after),
    memory: after.memory,
    lineRate: rateWithoutBursts(lines, SAMPLE_S),
  };
}

/**
 * What a counter grew a second, without the intervals of two seconds in all in which it grew most.
 * @param counts at equal intervals
 * @param interval seconds
 */
export function rateWithoutBursts(counts: readonly number[], interval: number): number {
  const grown = counts.slice(1).map((count, index) => count - (counts[index] ?? 0));
  const kept = grown.sort((one, other) => one - other).slice(0, Math.max(1, grown.length - BURST_S / interval));
  return kept.reduce((sum, each) => sum + each, 0) / (interval * Math.max(1, kept.length));
}
