import { pass } from "../runner/waiting.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { CONNECT_LIMIT } from "./stops.ts";

/** Seconds of running; the thorough ones are those of the requirement. */
const SECONDS = 8;
const THOROUGH_SECONDS = 60;

/** Started from the dashboard, left alone for a while, then stopped. */
export const firstRun: ScenePlan = {
  id: "first-run",
  title: "Started, left alone, stopped",
  async play(stage) {
    const run = await stage.start();
    if (!(await stage.reaches(run, "connectedAt", CONNECT_LIMIT))) {
      if (!run.isOver) await stage.stop(run);
      return;
    }
    const seconds = stage.options.thorough ? THOROUGH_SECONDS : SECONDS;
    const before = { ...stage.usage, lines: run.lines, at: stage.now() };
    await stage.until(seconds + 1, "the app had its time", () => run.isOver || stage.now() - before.at > seconds);
    await pass(20 * stage.random(), stage.options.host.signal);
    const after = stage.usage;
    run.usage = {
      seconds: stage.now() - before.at,
      cpu: after.cpu - before.cpu,
      memory: after.memory,
      lines: run.lines - before.lines,
    };
    if (run.isOver) await stage.over(run);
    else await stage.stop(run);
  },
};
