import type { TestBed } from "../runner/test-bed.ts";
import { fetchAtNetworkAddress } from "./page/fetch-page.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

/** Seconds until the app starts; the robot wakes up first. */
const STARTUP_S = 45;
/** Seconds that an antenna must be still before the daemon detects a touch. */
const STILL_S = 1.2;
/** Radians that a still antenna moves at most. */
const STILL = 0.01;

/** Started by the daemon itself, as the startup app. Its page must be reachable from the network there. */
export const startAsStartupApp: TestRunPlan = {
  id: "start-as-startup-app",
  title: "Start as the startup app of a wireless robot",
  setup: { startup: "awake", wireless: true },
  seconds: 9,
  execute: runStartupApp,
};

/** Started by a touch of an antenna of the sleeping robot. */
export const startByAntenna: TestRunPlan = {
  id: "start-by-antenna",
  title: "Start by a touch of an antenna",
  setup: { startup: "asleep" },
  seconds: 10,
  async execute(bed) {
    await waitForStillAntennas(bed);
    bed.recordAction("touch the right antenna");
    await bed.post("/api/simulation/touch/right", 10);
    await runStartupApp(bed);
  },
};

async function runStartupApp(bed: TestBed): Promise<void> {
  const run = await bed.waitFor(STARTUP_S, "the daemon starts the startup app", () => bed.log.runs[0] ?? null);
  // The daemon restarts a startup app that fails; one run is enough.
  if (await bed.waitForMilestone(run, "running")) {
    const { page } = bed.options.app;
    if (page !== null && bed.rig.options.setup.wireless)
      bed.facts.networkPage = await fetchAtNetworkAddress(page, run, bed);
    await bed.letRun(run, 1);
  }
  if (run.hasEnded) {
    await bed.request("PUT", "/api/apps/startup-app", 10, { startup_app: null });
    await bed.request("POST", "/api/apps/stop-current-app", 30);
  } else await bed.stop(run);
}

async function waitForStillAntennas(bed: TestBed): Promise<void> {
  let [before, since] = [bed.log.state?.antennas, bed.now()];
  await bed.waitFor(15, "the antennas stand still", () => {
    const antennas = bed.log.state?.antennas;
    const moved = antennas?.some((angle, side) => Math.abs(angle - (before?.[side] ?? 0)) > STILL) ?? true;
    if (moved) [before, since] = [antennas, bed.now()];
    return bed.now() - since > STILL_S;
  });
}
