import { pass } from "../runner/waiting.ts";
import type { ScenePlan } from "./scene-plan.ts";

/** Seconds that an app has until its SDK is connected: the slowest imports that a person waits for. */
export const CONNECT_LIMIT = 15;

/** Stopped while Python still imports, at a moment that the seed decides. */
export const stopWhileImporting: ScenePlan = {
  id: "stop-while-importing",
  title: "Stopped while importing",
  async play(stage) {
    const run = await stage.start();
    await pass(300 * stage.random(), stage.options.host.signal);
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
    if (await stage.reaches(run, "knockedAt", CONNECT_LIMIT)) {
      await pass(500 * stage.random(), stage.options.host.signal);
      await stage.stop(run);
    } else if (!run.isOver) await stage.stop(run);
    stage.tap.admit();
  },
};
