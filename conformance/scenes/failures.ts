import { ERROR_SIGNAL } from "../runner/instrument.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { CONNECT_LIMIT } from "./stops.ts";

/** Seconds that an error may take to end the app, and how often it is raised. */
const ERROR_S = 4;
const ERRORS = 2;

/** An error is raised in run(); then the app is started again. */
export const errorInRun: ScenePlan = {
  id: "error-in-run",
  title: "An error in run(), then a second start",
  async play(stage) {
    const run = await stage.start();
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) {
      await stage.moment(0.2, 1.2);
      await stage.ask(run, "error");
      for (let count = 0; count < ERRORS && !run.isOver && run.leftAt === null; count += 1) {
        send(run.pid, ERROR_SIGNAL);
        await stage.leave(run, ERROR_S / ERRORS);
        await stage.readMarks(run);
      }
    }
    await (run.isOver ? stage.over(run) : stage.stop(run, "error"));
    await startAgain(stage);
  },
};

/** Killed without a chance to clean up; then started again. */
export const killed: ScenePlan = {
  id: "killed",
  title: "Killed with SIGKILL, then a second start",
  async play(stage) {
    const run = await stage.start();
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) {
      await stage.moment(0.2, 1.5);
      await stage.ask(run, "kill");
      send(run.pid, "SIGKILL");
      await stage.over(run);
    } else await stage.stop(run);
    await startAgain(stage);
  },
};

async function startAgain(stage: Parameters<ScenePlan["play"]>[0]): Promise<void> {
  const again = await stage.start();
  if (await stage.reaches(again, "enteredAt", CONNECT_LIMIT)) await stage.moment(0.1, 0.4);
  await stage.stop(again);
}

function send(pid: number | null, signal: NodeJS.Signals): void {
  try {
    if (pid !== null) process.kill(pid, signal);
  } catch {
    // It has ended in this moment.
  }
}
