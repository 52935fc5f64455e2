import type { Clock } from "../../../../common/time/clock.ts";
import type { MoveRunner } from "./move-runner.ts";
import type { StatusReporter } from "./status-reporter.ts";
import type { TargetStore } from "./target-store.ts";

/** What several parts of the control loop work with. */
export interface LoopParts {
  readonly clock: Clock;
  readonly status: StatusReporter;
  readonly moves: MoveRunner;
  readonly targets: TargetStore;
  /** Gives the robot up until it is connected again. */
  readonly disconnect: (why: string) => void;
}
