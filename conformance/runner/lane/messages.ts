import type { AppRun } from "../../evidence/app-run.ts";
import type { Facts } from "../../evidence/evidence.ts";
import type { ReplayScript } from "../../test-runs/random-user/script.ts";
import type { TestRun } from "../../verdict/verdict.ts";
import type { AppOfRig, AppUnderTest } from "../app/app-under-test.ts";
import type { IsolationPlan } from "../isolation/isolation-plan.ts";
import type { Thoroughness } from "../thoroughness.ts";

/** What a lane needs to open a rig. */
export interface LaneSetup {
  app: AppOfRig;
  /** The Python environment with the app in it. */
  venv: string;
  /** A folder for what the harness writes. */
  folder: string;
  /** A folder for what the app writes. */
  appFolder: string;
  isolation: IsolationPlan;
}

/** The rigs that a lane keeps for several test runs: the daemon simulates the robot, or has it behind a link. */
export type SharedRig = "simulated" | "linked";

/** What a test run needs besides its rig. */
export interface TestRunTask {
  app: AppUnderTest;
  /** Id of the test run. */
  id: string;
  /** Seed of every random choice. */
  seed: number;
  thoroughness: Thoroughness;
  /** Seconds from the start to the connection in `first-run`; null when that did not run. */
  startupSeconds: number | null;
  /** What the random user does; null: generated from the seed. */
  replay: ReplayScript | null;
}

/** What a lane needs to execute a test run. */
export type LaneTask = LaneSetup & TestRunTask;

/** The result of a test run. */
export interface LaneResult {
  id: string;
  /** Null when no rig could be opened. */
  testRun: TestRun | null;
  appRuns: AppRun[];
  facts: Partial<Facts>;
  /** Why the evidence does not count; null when it does. */
  harnessFailure: string | null;
}

/**
 * From the scheduler to a lane: open a shared rig, then execute test runs, one at a time; the test runs of other lanes are
 * about to end.
 */
export type ToLane =
  | ({ type: "prepare"; rig: SharedRig } & LaneSetup)
  | { type: "execute"; task: LaneTask }
  | { type: "others-end" };

/** From a lane to the scheduler. */
export type FromLane =
  /** The shared rig is open, or could not be opened. */
  | { type: "prepared" }
  | { type: "connected"; id: string; startupSeconds: number }
  | { type: "result"; result: LaneResult };
