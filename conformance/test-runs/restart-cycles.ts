import type { CycleFacts } from "../evidence/evidence.ts";
import { countFiles } from "../runner/observe/folder-size.ts";
import type { LiveAppRun } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

type Usage = NonNullable<ReturnType<TestBed["measure"]>>;

const CYCLES = 5;
const THOROUGH_CYCLES = 20;
/** Seconds in run() between two measurements. */
const INTERVAL_S = 0.2;
/** Bytes of memory by which two measurements differ at most once the app and its children have loaded what they use. */
const SETTLED_BYTES = 500_000;
/** Measurements after which an app that has not settled is taken as it is. */
const MOST_MEASUREMENTS = 15;

/** Started and stopped several times. */
export const restartCycles: TestRunPlan = {
  id: "restart-cycles",
  title: "Repeated starts and stops",
  seconds: 16,
  async execute(bed) {
    const found: CycleFacts[] = [];
    for (let left = bed.options.thoroughness === "thorough" ? THOROUGH_CYCLES : CYCLES; left > 0; left -= 1) {
      const run = await bed.start();
      const entered = await bed.waitForMilestone(run, "running");
      const used = entered ? await measureOnceSettled(bed, run) : null;
      await bed.stop(run);
      const files = await countFiles(bed.rig.appFolders.scratch);
      found.push({ files, memoryBytes: used?.memory ?? null, descriptors: used?.descriptors ?? null });
      // What grows from stop to stop says little of an app that has to be killed, and each stop of it takes long.
      if (run.forceStopped) break;
    }
    bed.facts.cycles = found;
  },
};

/**
 * What the app and its children use once that does not change; a child that is still starting would look like growth. Null
 * when the app ends, or has closed its connection: what it still holds then is chance.
 */
async function measureOnceSettled(bed: TestBed, run: LiveAppRun): Promise<Usage | null> {
  let before: Usage | null = null;
  for (let left = MOST_MEASUREMENTS; left > 0; left -= 1) {
    await bed.letRun(run, INTERVAL_S);
    const used = bed.measure(run);
    if (run.hasEnded || run.disconnectedAt !== null || used === null) return null;
    if (before !== null && isSettled(before, used)) return used;
    before = used;
  }
  return before;
}

const isSettled = (before: Usage, now: Usage): boolean =>
  Math.abs(now.memory - before.memory) <= SETTLED_BYTES && now.descriptors === before.descriptors;
