import { type DynamicRequirement, describeEnd, judgeAspects, seconds } from "../requirement.ts";
import { observeStop, ranWhenStopped, stopAspects } from "./stop-aspects.ts";

export const stopsOnSigint: DynamicRequirement = {
  id: "LIFE-003",
  level: "MUST",
  section: "3",
  title: "SIGINT leads to exit code 0 within the grace period, whatever run() is doing",
  mutants: [
    "LIFE-003-exits-with-3",
    "LIFE-003-sleeps-too-long",
    "LIFE-003-own-wrapped-run-ignores-sigint",
    "LIFE-003-ignores-stops-during-gotos",
    "LIFE-003-ignores-sigint-in-its-first-seconds",
  ],
  testRuns: ["first-run", "stop-early", "stop-during-goto"],
  judge({ appRuns }) {
    const took: number[] = [];
    const aspects = stopAspects(appRuns, (run) => {
      // Right after the connection run() may not have begun: such a stop must free the slot, with any exit code.
      const fine = !run.forceStopped && (run.exit?.code === 0 || !ranWhenStopped(run));
      const duration = (run.exitedAt ?? 0) - (run.endRequestedAt ?? 0);
      took.push(duration);
      if (fine && !ranWhenStopped(run)) return null;
      if (fine) return { met: observeStop(run, `exit code 0 after ${seconds(duration)}`) };
      const advice = run.forceStopped
        ? "run() must look at stop_event often, and return when it is set"
        : "Return from run(), and leave the exit code to Python";
      const message = `Stopped while ${run.phase}, the app ${describeEnd(run)}. ${advice}.`;
      return { violation: { message, testRun: run.testRun, t: run.exitedAt ?? run.startedAt, errors: run.stderrTail } };
    });
    took.sort((a, b) => a - b);
    const limit = appRuns[0]?.gracePeriod ?? null;
    const at = (share: number) => took[Math.ceil(share * took.length) - 1] ?? 0;
    const measured = (name: string, value: number) => ({ name, value, unit: "s", limit });
    return judgeAspects(
      aspects,
      took.length === 0
        ? []
        : [measured("stop p50", at(0.5)), measured("stop p90", at(0.9)), measured("stop longest", at(1))],
    );
  },
};
