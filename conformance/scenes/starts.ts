import type { Stage } from "../runner/stage.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { CONNECT_LIMIT } from "./stops.ts";

/** The robot wakes up first. */
const STARTUP_S = 45;
/** Seconds of stillness from which a touch of a limp antenna can be told, and radians that count as still. */
const STILL_S = 1.2;
const STILL = 0.01;

/** Started by the daemon itself, as the startup app. */
export const startByStartup: ScenePlan = {
  id: "start-by-startup",
  title: "Started as the startup app",
  setting: { startup: "awake" },
  play: seenThrough,
};

/** Started by a touch of an antenna of the sleeping robot. */
export const startByAntenna: ScenePlan = {
  id: "start-by-antenna",
  title: "Started by a touch of an antenna",
  setting: { startup: "asleep" },
  async play(stage) {
    await still(stage);
    stage.act("touch the right antenna");
    await stage.post("/api/simulation/push", 10, { body: "right_antenna", force: [0.4, 0, 0], seconds: 0.2 });
    await seenThrough(stage);
  },
};

async function seenThrough(stage: Stage): Promise<void> {
  const run = await stage.until(STARTUP_S, "the daemon starts the startup app", () => stage.notes.runs[0] ?? null);
  // What fails is started again by the daemon; one life is enough.
  if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) await stage.leave(run, 1);
  if (run.isOver) {
    await stage.request("PUT", "/api/apps/startup-app", 10, { startup_app: null });
    await stage.request("POST", "/api/apps/stop-current-app", 30);
  } else await stage.stop(run);
}

async function still(stage: Stage): Promise<void> {
  let [before, since] = [stage.notes.state?.antennas, stage.now()];
  await stage.until(15, "the antennas are at rest", () => {
    const antennas = stage.notes.state?.antennas;
    const moved = antennas?.some((angle, side) => Math.abs(angle - (before?.[side] ?? 0)) > STILL) ?? true;
    if (moved) [before, since] = [antennas, stage.now()];
    return stage.now() - since > STILL_S;
  });
}
