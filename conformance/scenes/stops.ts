import type { ScenePlan } from "./scene-plan.ts";

/** Seconds that an app has until its SDK is connected: the slowest imports that a person waits for. */
export const CONNECT_LIMIT = 15;
/** Seconds from the connection until run() is entered. */
export const ENTER_LIMIT = 5;
const GOTO_LIMIT = 5;

/** Stopped while Python still imports, at a moment that the seed decides. */
export const stopWhileImporting: ScenePlan = {
  id: "stop-while-importing",
  title: "Stopped while importing",
  async play(stage) {
    const run = await stage.start();
    await stage.moment(0, 0.3);
    await stage.stop(run);
  },
};

/** Stopped while the daemon does not answer yet. */
export const stopWhileConnecting: ScenePlan = {
  id: "stop-while-connecting",
  title: "Stopped while connecting",
  async play(stage) {
    stage.tap.hold();
    const run = await stage.start();
    if (await stage.reaches(run, "knockedAt", CONNECT_LIMIT)) await stage.moment(0, 0.5);
    await stage.stop(run);
  },
};

/** Stopped as soon as it is connected, and at two moments of its first second. */
export const stopEarly: ScenePlan = {
  id: "stop-early",
  title: "Stopped soon after the start, three times",
  async play(stage) {
    for (const longest of [0, 0.3, 1]) {
      const run = await stage.start();
      const moment = longest === 0 ? "connectedAt" : "enteredAt";
      if (await stage.reaches(run, moment, CONNECT_LIMIT)) await stage.moment(0, longest);
      await stage.stop(run);
    }
  },
};

/** Stopped in the middle of a goto, when the app does any in its first seconds. */
export const stopInMidGoto: ScenePlan = {
  id: "stop-in-mid-goto",
  title: "Stopped in the middle of a move",
  async play(stage) {
    const run = await stage.start();
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) {
      const goto = await stage
        .until(GOTO_LIMIT, "a goto runs", () => run.isOver || run.gotoAt(stage.now()))
        .catch(() => null);
      if (goto !== null && goto !== true) await stage.moment(0, 0.7 * (goto.until - stage.now()));
    }
    await stage.stop(run);
  },
};

/** Interrupted once more while it cleans up. */
export const secondSigint: ScenePlan = {
  id: "second-sigint",
  title: "Stopped, and interrupted while it cleans up",
  async play(stage) {
    const run = await stage.start();
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) {
      await stage.moment(0.2, 1);
      const stopped = stage.stop(run, "second-sigint");
      await stage.until(5, "the app is asked", () => run.askedAt !== null || run.isOver);
      await stage.moment(0.05, 0.25);
      if (!run.isOver && run.pid !== null) {
        stage.act("the second SIGINT");
        interrupt(run.pid);
      }
      await stopped;
    } else await stage.stop(run);
  },
};

function interrupt(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch {
    // It has ended in this moment.
  }
}
