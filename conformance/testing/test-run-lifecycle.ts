import { LifecycleModel } from "../../daemon/testing/lifecycle/check-log.ts";
import type { LifecycleEvent } from "../../daemon/testing/lifecycle/lifecycle-events.ts";
import type { TestRun, TestRunEvent } from "../verdict/verdict.ts";

let model: LifecycleModel | undefined;

/** @throws Error when the model of the lifecycle does not allow what the daemon did in a test run */
export function compareTestRunsWithModel(testRuns: readonly Pick<TestRun, "id" | "events">[]): void {
  model ??= new LifecycleModel();
  for (const { id, events } of testRuns) {
    const options = { startupApp: null, seesRequests: false, seesProcesses: false, isAwake: null };
    const contradiction = model.check(events.flatMap(lifecycleEventsOf), options);
    if (contradiction !== null) throw new Error(`In the test run ${id}: ${contradiction}`);
  }
}

const MOVE = /^Move (\w+) (has started|has arrived|was cancelled|was superseded|has failed)/;
const OUTCOMES: Record<string, string> = {
  "has arrived": "finished",
  "was cancelled": "cancelled",
  "was superseded": "superseded",
};

/** A verdict has the texts of the robot's events only. */
function lifecycleEventsOf({ kind, state, text }: TestRunEvent): LifecycleEvent[] {
  if (kind === "slot" && state !== null) return [{ kind: "slot", state, app: "the app" }];
  if (kind !== "robot") return [];
  const robot = (name: "move_started" | "move_ended" | "antenna_touched", data: Record<string, unknown>) =>
    [{ kind: "robot", event: { kind: name, data } }] satisfies LifecycleEvent[];
  if (/^The \w+ antenna was touched/.test(text)) return robot("antenna_touched", {});
  const [, move, what = ""] = MOVE.exec(text) ?? [];
  if (move === undefined) return [];
  if (what === "has started") return robot("move_started", { kind: move });
  return robot("move_ended", { kind: move, outcome: OUTCOMES[what] });
}
