import { type AppRun, isGoto } from "../../evidence/app-run.ts";
import type { Observation } from "../../verdict/verdict.ts";
import {
  type Aspect,
  endedByItself,
  endWasRequested,
  formatSeconds,
  observe,
  type Violation,
  wasInterruptedAtExit,
} from "../requirement.ts";

/** How one stopped run is judged: an observation that meets the requirement, a violation, or null for neither. */
type JudgeStop = (run: AppRun) => { met: Observation } | { violation: Violation } | null;

const PLACES = [
  { testRun: "first-run", name: "stop after some seconds of running" },
  { testRun: "stop-early", name: "stop soon after the start" },
  { testRun: "stop-during-goto", name: "stop during a goto" },
] as const;

/**
 * The aspects of a requirement on stops: after some seconds, soon after the start, and during a goto. Only runs that were
 * stopped while they ran count. An app that ends by itself, or starts no goto, cannot be stopped there.
 */
export function stopAspects(appRuns: readonly AppRun[], judgeStop: JudgeStop): Aspect[] {
  return PLACES.map(({ testRun, name }) => {
    const runs = appRuns.filter((run) => run.testRun === testRun);
    const stopped = runs.filter((run) => run.endCause === "stop" && endWasRequested(run) && run.connectedAt !== null);
    const results = stopped.map((run) => ({ run, judged: judgeStop(run) }));
    const judged = results.flatMap((each) => each.judged ?? []);
    const beforeRun = results.flatMap((each) => (each.judged === null ? [each.run] : []));
    const inGoto = stopped.some(({ phase }) => phase === "mid-goto");
    const met = judged.flatMap((each) => ("met" in each ? [each.met] : []));
    const isGoto = testRun === "stop-during-goto";
    return {
      name,
      testRun,
      // A stop that missed the goto says nothing about stops during one; the other aspects do not need it.
      met: isGoto && !inGoto ? [] : met,
      violations: judged.flatMap((each) => ("violation" in each ? [each.violation] : [])),
      notApplicable: factAgainst(runs, beforeRun, isGoto && !inGoto),
      unobserved: runs.length === 0 ? "not run" : "no run that could be stopped while it was connected",
    };
  });
}

/** @param beforeRun the runs that were stopped before run() began, or while Python was ending */
function factAgainst(runs: readonly AppRun[], beforeRun: readonly AppRun[], noGoto: boolean): string | null {
  const hasEnded = (run: AppRun): boolean => endedByItself(run) || wasInterruptedAtExit(run);
  const run = runs.find(hasEnded);
  if (run !== undefined && runs.every((each) => hasEnded(each) || beforeRun.includes(each))) {
    const after = formatSeconds((run.disconnectedAt ?? run.exitedAt ?? run.startedAt) - run.startedAt);
    return `the app ended by itself after ${after}`;
  }
  const waited = runs.every(({ connectedAt }) => connectedAt !== null);
  if (!noGoto || !waited) return null;
  return runs.some(({ commands }) => commands.some(isGoto))
    ? "each of the app's gotos had ended or was replaced when the stop came"
    : "the app started no goto in its first seconds";
}

/** The phases in which `run()` is known to have begun. */
export const ranWhenStopped = ({ phase }: AppRun): boolean => phase === "running" || phase === "mid-goto";

/** An observation of a run that ended in time after its stop. */
export const observeStop = (run: AppRun, text: string): Observation =>
  observe(run, `stopped while ${run.phase}: ${text}`, run.exitedAt);
