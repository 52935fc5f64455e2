import { type AppRun, STOP_EVENT_NOT_SET } from "../../evidence/app-run.ts";
import {
  type Aspect,
  type DynamicRequirement,
  describeEnd,
  endedByItself,
  formatSeconds,
  judgeByAspects,
  observe,
  wasEnding,
} from "../requirement.ts";
import { runReturnedAt } from "./run-returned-at.ts";

const FOREVER = Number.POSITIVE_INFINITY;

const WAYS = [
  { endCause: "stop-event", name: "stop_event set", what: "stop_event was set" },
  { endCause: "stop-method", name: "stop() called", what: "stop() was called" },
] as const;

export const stopEventEndsRun: DynamicRequirement = {
  id: "LIFE-004",
  level: "MUST",
  section: "2.3",
  title: "stop_event alone ends run(), and stop() sets it",
  mutants: [
    "LIFE-004-flag-of-its-own",
    "LIFE-004-flag-of-its-own-after-a-greeting",
    "LIFE-004-stop-method-does-nothing",
    "LIFE-004-stop-method-ends-the-process",
  ],
  testRuns: ["stop-event-alone"],
  judge({ appRuns }) {
    return judgeByAspects(
      // stop() is called again in an app that ended meanwhile: the last time counts.
      WAYS.map((way, index) => aspectOf(way, index === 0 ? appRuns[0] : appRuns.slice(1).at(-1))),
    );
  },
};

function aspectOf({ endCause, name, what }: (typeof WAYS)[number], run: AppRun | undefined): Aspect {
  const aspect = { name, met: [], violations: [], unobserved: "not run" };
  if (run === undefined) return aspect;
  const { endRequestedAt, disconnectedAt, exitedAt, gracePeriod } = run;
  if (endCause === "stop-method" && run.exit?.code === STOP_EVENT_NOT_SET) {
    const message = "stop() did not set stop_event. An overridden stop() must call super().stop().";
    return { ...aspect, violations: [{ message, testRun: run.testRun, t: endRequestedAt ?? 0 }] };
  }
  if (run.endCause !== endCause || endRequestedAt === null) {
    const after = formatSeconds((exitedAt ?? run.startedAt) - run.startedAt);
    if (endedByItself(run))
      return { ...aspect, notApplicable: `the app ended by itself with exit code 0 after ${after}` };
    return { ...aspect, unobserved: `the app ${describeEnd(run)} after ${after}` };
  }
  // One that was killed passes when run() had returned before that; LIFE-007 judges the exit.
  const endedAt = run.forceStopped ? runReturnedAt(run) : Math.min(disconnectedAt ?? FOREVER, exitedAt ?? FOREVER);
  const ended = (endedAt ?? FOREVER) - endRequestedAt;
  if (ended < 0) {
    const why = `run() had returned before ${what}`;
    return endedBeforeRequest(run) ? { ...aspect, notApplicable: why } : { ...aspect, unobserved: why };
  }
  if (endCause === "stop-method" && ended < gracePeriod) {
    if (run.stopMethod === null) return { ...aspect, unobserved: "the app ended before stop() was called" };
    if (run.stopMethod === "called") {
      const message = `stop() was called, and the app ended after ${formatSeconds(ended)}, before stop_event was set. An overridden stop() must call super().stop(), and leave the end to run().`;
      return { ...aspect, violations: [{ message, testRun: run.testRun, t: endRequestedAt + ended }] };
    }
  }
  if (ended < gracePeriod)
    return { ...aspect, met: [observe(run, `ended ${formatSeconds(ended)} after ${what}`, endRequestedAt + ended)] };
  const message = `The app went on for ${gracePeriod} s after ${what}. Poll stop_event itself, not a flag of your own; an overridden stop() must call super().stop().`;
  return { ...aspect, violations: [{ message, testRun: run.testRun, t: endRequestedAt + gracePeriod }] };
}

/** Whether the app was already ending, with success, when it was asked to. */
function endedBeforeRequest(run: AppRun): boolean {
  // A stop() that ends the process without setting stop_event has the exit code 0, too.
  return wasEnding(run) && run.exit?.code === 0 && run.stopMethod !== "called";
}
