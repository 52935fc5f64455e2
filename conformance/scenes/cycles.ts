import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CycleFacts } from "../evidence/evidence.ts";
import { familyOf } from "../runner/process-group.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { CONNECT_LIMIT } from "./stops.ts";

const CYCLES = 5;
const THOROUGH_CYCLES = 20;
/** Seconds in run() after which the app is measured, in every cycle the same. */
const MEASURED_AFTER = 0.4;

/** Started and stopped again and again. */
export const cycles: ScenePlan = {
  id: "cycles",
  title: "Started and stopped again and again",
  async play(stage) {
    const found: CycleFacts[] = [];
    const work = join(stage.options.folder, "data/work", stage.options.app.name);
    for (let left = stage.options.thorough ? THOROUGH_CYCLES : CYCLES; left > 0; left -= 1) {
      const run = await stage.start();
      const entered = await stage.reaches(run, "enteredAt", CONNECT_LIMIT);
      if (entered) await stage.leave(run, MEASURED_AFTER);
      const taken = run.isOver || run.pid === null ? null : await measured(run.pid);
      await stage.stop(run);
      const files = (await filesIn(stage.temporary)) + (await filesIn(work));
      found.push({ files, memory: taken?.memory ?? null, descriptors: taken?.descriptors ?? null });
    }
    stage.facts.cycles = found;
  },
};

async function measured(pid: number): Promise<{ memory: number; descriptors: number }> {
  const { pids, memory } = familyOf(pid);
  const open = await Promise.all(pids.map((each) => readdir(`/proc/${each}/fd`).catch(() => [])));
  return { memory, descriptors: open.flat().length };
}

const filesIn = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true }).catch(() => [])).length;
