import type { AppRun } from "../../evidence/app-run.ts";
import { ERROR_SIGNAL, INJECTED_ERROR } from "../../runner/app/trace-instrument.ts";
import {
  type DynamicRequirement,
  decidedAspect,
  describeEnd,
  endedByItself,
  endWasRequested,
  inconclusive,
  judgeByAspects,
  notApplicable,
  observe,
  violationIn,
} from "../requirement.ts";

export const reportsErrors: DynamicRequirement = {
  id: "LIFE-008",
  level: "MUST",
  section: "3",
  title: "An error that run() does not handle gives a nonzero exit code and a traceback",
  mutants: [
    "LIFE-008-exits-with-0",
    "LIFE-008-without-a-traceback",
    "LIFE-008-names-the-error-alone",
    "LIFE-008-hangs-after-an-error",
    "LIFE-008-waits-for-its-thread-after-an-error",
  ],
  advisoryInOtherDialects: {
    why: "The contract does not say how an error ends the app; another app can start in any case.",
    fix: "Let exceptions pass through run() and wrapped_run().",
  },
  testRuns: ["error-in-run"],
  judge({ appRuns }) {
    const run = appRuns.find(({ endCause }) => endCause === "error") ?? appRuns[0];
    if (run === undefined) return inconclusive("The app was not run.");
    if (run.endCause !== "error" || !endWasRequested(run)) {
      const fact = `The app ${describeEnd(run)} before an error could be raised in it.`;
      return endedByItself(run) ? notApplicable(fact) : inconclusive(fact);
    }
    if (!run.errorInjected && hasReturned(run))
      return notApplicable("run() had returned before an error could be raised in it.");
    if (!run.errorInjected)
      return inconclusive("No error could be raised in run(): the app replaced or blocked the handler of SIGUSR1.");
    if (wentOn(run, appRuns)) return notApplicable("The app handled the errors that were raised in it, and went on.");
    if (run.runLeftAt !== null && run.runRaised === null)
      return notApplicable("run() handled the error that was raised in it, and returned.");
    const fine = !run.stoppedAfterError && !run.forceStopped && run.exit?.code !== 0 && run.errorReported;
    const met = observe(run, `${describeEnd(run)} with the traceback of the error`, run.exitedAt);
    const message = `After an error in run() the app ${describeFailure(run)}`;
    return judgeByAspects([decidedAspect("error in run()", fine, met, violationIn(run, message, run.exitedAt ?? 0))]);
  },
};

/** Whether run() returned by itself, just when the error was to be raised; the signal can end a Python that is ending. */
const hasReturned = ({ runLeftAt, runRaised, exit, stoppedAfterError }: AppRun): boolean =>
  runLeftAt !== null && runRaised === null && (exit?.code === 0 || exit?.signal === ERROR_SIGNAL) && !stoppedAfterError;

/**
 * Whether the app ran on after the errors, until it was stopped. One whose run() ended with the error then had waited for its
 * stop, and so had one that had to be killed then, unless it always has to be.
 */
function wentOn({ stoppedAfterError, runRaised, forceStopped }: AppRun, appRuns: readonly AppRun[]): boolean {
  const hung = forceStopped && appRuns.filter((run) => run.forceStopped).length === 1;
  return stoppedAfterError && runRaised !== INJECTED_ERROR && !hung;
}

function describeFailure(run: AppRun): string {
  if (run.stoppedAfterError)
    return `waited until it was stopped, and ${describeEnd(run)}. Wait for nothing after an error that only a stop ends, as a join() of a thread in a finally clause does.`;
  const failure =
    run.exit?.code === 0 || run.forceStopped ? describeEnd(run) : "ended without a traceback on its standard error";
  return `${failure}. Let errors pass through wrapped_run(): the daemon shows their traceback.`;
}
