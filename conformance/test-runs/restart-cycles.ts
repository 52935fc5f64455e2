import type { CycleFacts } from "../evidence/evidence.ts";
import { countFiles } from "../runner/observe/folder-size.ts";
import { measureTree } from "../runner/observe/process-tree-watch.ts";
import { CONNECT_LIMIT } from "./limits.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

const CYCLES = 5;
const THOROUGH_CYCLES = 20;
/** Seconds in run() after which the app is measured. */
const MEASURED_AFTER = 0.4;

/** Started and stopped several times. */
export const restartCycles: TestRunPlan = {
  id: "restart-cycles",
  title: "Repeated starts and stops",
  seconds: 16,
  async execute(bed) {
    const found: CycleFacts[] = [];
    for (let left = bed.options.thoroughness === "thorough" ? THOROUGH_CYCLES : CYCLES; left > 0; left -= 1) {
      const run = await bed.start();
      const entered = await bed.waitForMilestone(run, "running", CONNECT_LIMIT);
      if (entered) await bed.letRun(run, MEASURED_AFTER);
      const pid = bed.mainProcess(run);
      const used = run.hasEnded || pid === null ? null : measureTree(pid);
      await bed.stop(run);
      const files = await countFiles(bed.rig.scratchFolders);
      found.push({ files, memoryBytes: used?.memory ?? null, descriptors: used?.descriptors ?? null });
      // What grows from stop to stop says little of an app that has to be killed, and each stop of it takes long.
      if (run.forceStopped) break;
    }
    bed.facts.cycles = found;
  },
};
