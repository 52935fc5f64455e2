import type { RigSetup } from "../runner/rig.ts";
import type { TestBed } from "../runner/test-bed.ts";

/** A robot behind a link. Test runs that ask for it share a rig, as those without a set-up of their own do. */
export const LINKED_ROBOT: RigSetup = { robotSim: [] };

/** One way to run the app. The test bed records what the app does; only failures of the harness throw. */
export interface TestRunPlan {
  id: string;
  title: string;
  /** Runs only for apps with a settings page. */
  needsPage?: true;
  /** Loads the trace instrument into the app. The others run without, so that an app cannot tell that it is judged. */
  instrumented?: true;
  /** Begins with the others, and runs until they are about to end: it has a lane of its own where there are several. */
  outlasts?: true;
  /** What its rig needs besides those of the shared rig; test runs without it use that. */
  setup?: RigSetup;
  /** Seconds that it commonly takes, to begin with the longest. */
  seconds: number;
  /** Loads large modules before the app is observed: a harness that stands still meanwhile fails the test run. */
  prepare?(): Promise<void>;
  execute(bed: TestBed): Promise<void>;
}
