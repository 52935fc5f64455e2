import type { AppRun } from "../runner/app-run.ts";
import { portIsFree } from "../runner/ports.ts";
import type { Stage } from "../runner/stage.ts";
import { fetchPage } from "./page/fetch-page.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { CONNECT_LIMIT } from "./stops.ts";

/** Seconds of running; the thorough ones are those of the requirement. */
const SECONDS = 8;
const THOROUGH_SECONDS = 60;
const PORT_FREE_S = 2;

/** Started from the dashboard, left alone for a while, then stopped. */
export const firstRun: ScenePlan = {
  id: "first-run",
  title: "Started, left alone, stopped",
  async play(stage) {
    const { app, thorough } = stage.options;
    const run = await stage.start();
    if (await stage.reaches(run, "connectedAt", CONNECT_LIMIT)) {
      const page = app.page === null ? null : fetchPage(app.page, run, stage);
      await useUp(stage, run, thorough ? THOROUGH_SECONDS : SECONDS);
      if (page !== null) stage.facts.page = await page;
    }
    await stage.stop(run);
    if (app.page === null) return;
    const { port } = app.page;
    const free = stage.until(PORT_FREE_S, "the port is free", () => portIsFree(port));
    stage.facts.portFreed = await free.catch(() => false);
  },
};

/** Lets the app run and takes down what it uses. */
async function useUp(stage: Stage, run: AppRun, seconds: number): Promise<void> {
  const [before, since, lines] = [stage.notes.usage, stage.now(), run.lines];
  await stage.leave(run, seconds);
  await stage.moment(0, 0.02);
  const after = stage.notes.usage;
  run.usage = {
    seconds: (run.endedAt ?? stage.now()) - since,
    cpu: after.cpu - before.cpu,
    memory: after.memory,
    lines: run.lines - lines,
  };
}
