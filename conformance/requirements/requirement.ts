import type { Requirement } from "../../assistant/check/requirement.ts";
import { DEFAULT_DIALECT, type Dialect } from "../../robot/dialects/dialects.ts";
import type { AppRun } from "../evidence/app-run.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { EXIT_LIMIT } from "../test-runs/limits.ts";
import type { Measurement, Observation } from "../verdict/verdict.ts";

type NonEmptyArray<T> = readonly [T, ...T[]];

/** An observed violation of a requirement. */
export interface Violation {
  message: string;
  testRun?: string;
  /** Seconds from the start of the test run. */
  t?: number;
  /** The last lines of standard error; a traceback in them leads to the line. */
  errors?: readonly string[];
  /** Place in the app, when it is known. */
  at?: { file: string; line: number };
}

/** The result of a judge. A requirement is met only by observations, and violated only by violations. */
export type JudgeResult =
  | {
      kind: "met";
      observations: NonEmptyArray<Observation>;
      measured: readonly Measurement[];
    }
  | {
      kind: "violated";
      violations: NonEmptyArray<Violation>;
      observations: readonly Observation[];
      measured: readonly Measurement[];
    }
  /** The requirement does not concern this app; `fact` is the sentence that says why. */
  | { kind: "not-applicable"; fact: string }
  /** A part of the requirement was not observed; `fact` is the sentence that says what was seen instead. */
  | {
      kind: "inconclusive";
      fact: string;
      observations: readonly Observation[];
      measured: readonly Measurement[];
      /** The aspects that were judged; undefined for a requirement that is judged as a whole. */
      aspects?: readonly Aspect[];
    };

/** A requirement that needs the app to run. Ids are stable: never renumbered, never used again. */
export interface DynamicRequirement extends Omit<Requirement, "check"> {
  /** Ids of the test runs that show it; its judge gets only the app runs of these. Empty when the install shows it. */
  testRuns: readonly string[];
  /** The evidence for its judge includes that the app is uninstalled, and built a second time. */
  needsSecondBuild?: true;
  /**
   * Set when apps of other dialects only SHOULD meet it, because their contract does not require it, and a violation harms
   * neither the robot nor other apps. `why` gives the reason; `fix` says how to meet it with their SDK. Undefined: the level
   * is the same in all dialects.
   */
  advisoryInOtherDialects?: { why: string; fix: string };
  /** Its judge also gets the app runs of the other test runs, as far as other requirements made them necessary. */
  judgesOtherTestRuns?: true;
  /**
   * Violations by the exception that ended the first run count, too. For all other requirements they do not: that exception
   * is reported once, as LIFE-013.
   */
  countsErrorOfFirstRun?: true;
  judge(evidence: Evidence): JudgeResult;
}

/** The level of a requirement for apps of a dialect: at most SHOULD where it is advisory. */
export const levelForDialect = (
  dialect: Dialect,
  { level, advisoryInOtherDialects }: DynamicRequirement,
): "MUST" | "SHOULD" => (advisoryInOtherDialects !== undefined && dialect !== DEFAULT_DIALECT ? "SHOULD" : level);

/** One part of a requirement, with what was observed of it. */
export interface Aspect {
  /** For example `stop during a goto`. */
  name: string;
  /** Observations that meet it. */
  met: readonly Observation[];
  violations: readonly Violation[];
  /** A fact about the app by which this aspect need not be observed; null or undefined when it must be. */
  notApplicable?: string | null;
  /** What was seen instead, for the case that `met` and `violations` are empty. */
  unobserved: string;
  /** The only test run that shows it; a tier without that test run leaves the aspect out. */
  testRun?: string;
}

/**
 * Judges a requirement by its aspects: one violation is enough to violate it; to be met, every aspect that applies must
 * have been observed.
 */
export function judgeByAspects(aspects: readonly Aspect[], measured: readonly Measurement[] = []): JudgeResult {
  const violations = aspects.flatMap((aspect) => aspect.violations);
  const observations = aspects.flatMap(({ met }) => met);
  const [firstViolation, ...moreViolations] = violations;
  if (firstViolation !== undefined)
    return { kind: "violated", violations: [firstViolation, ...moreViolations], observations, measured };
  const unobserved = aspects.filter(({ met, notApplicable }) => met.length === 0 && (notApplicable ?? null) === null);
  if (unobserved.length > 0) {
    const fact = unobserved.map((aspect) => `${aspect.name}: ${aspect.unobserved}`).join("; ");
    return { kind: "inconclusive", fact: sentence(fact), observations, measured, aspects };
  }
  const [first, ...more] = observations;
  if (first !== undefined) return { kind: "met", observations: [first, ...more], measured };
  const facts = aspects.flatMap(({ notApplicable }) => notApplicable ?? []);
  return { kind: "not-applicable", fact: sentence([...new Set(facts)].join("; ")) };
}

export const inconclusive = (fact: string): JudgeResult => {
  return { kind: "inconclusive", fact, observations: [], measured: [] };
};

export const notApplicable = (fact: string): JudgeResult => ({ kind: "not-applicable", fact });

/** An observation in a run of the app. @param t seconds from the start of the test run; null when it has no moment */
export const observe = ({ testRun }: AppRun, text: string, t: number | null = null): Observation => {
  return { text, testRun, t };
};

/**
 * A violation in a run of the app, with the last lines of its standard error.
 * @param t seconds from the start of the test run; default: the end of the process
 */
export const violationIn = (run: AppRun, message: string, t = run.exitedAt ?? run.startedAt): Violation => {
  return { message, testRun: run.testRun, t, errors: run.stderrTail };
};

/** An aspect that was observed: the observation meets it, or the violation violates it. */
export const decidedAspect = (name: string, isMet: boolean, met: Observation, violation: Violation): Aspect => ({
  name,
  met: isMet ? [met] : [],
  violations: isMet ? [] : [violation],
  unobserved: "",
});

/** A text with a capital letter and a full stop; names such as run() and stop_event stay as they are. */
const sentence = (text: string): string =>
  `${text.replace(/^[a-z]+(?![\w(])/, capitalize)}${text.endsWith(".") ? "" : "."}`;

const capitalize = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A duration in seconds for a sentence, for example `1.25 s` or `12.5 s`. */
export const formatSeconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} s`;

/** How the process of a run ended: the predicate of a sentence about the app, for example `exited with code 1`. */
export function describeEnd({ exit, forceStopped, gracePeriod }: AppRun): string {
  if (forceStopped) return `did not end within ${gracePeriod} s and had to be killed`;
  if (exit === null) return "never ended";
  return exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
}

/** Whether the app was asked to end while it ran; false when it had already ended by itself. */
export const endWasRequested = ({ endRequestedAt, exitedAt }: AppRun): boolean =>
  endRequestedAt !== null && (exitedAt === null || exitedAt >= endRequestedAt);

/**
 * Whether the app exited and had the chance to clean up before: a process has none after SIGKILL, and a second SIGINT may
 * have interrupted its cleanup.
 */
export const couldCleanUp = ({ exitedAt, forceStopped, endCause }: AppRun): boolean =>
  exitedAt !== null && !forceStopped && endCause !== "kill" && endCause !== "second-sigint";

/** Whether the app ended by itself with exit code 0. */
export const endedByItself = (run: AppRun): boolean => !endWasRequested(run) && run.exit?.code === 0;

/** Whether the app was already ending when it was asked to end: it had closed its connections before, and exited in time. */
export const wasEnding = ({ endRequestedAt, disconnectedAt, exitedAt, forceStopped }: AppRun): boolean =>
  endRequestedAt !== null &&
  disconnectedAt !== null &&
  disconnectedAt < endRequestedAt &&
  exitedAt !== null &&
  exitedAt - disconnectedAt < EXIT_LIMIT &&
  !forceStopped;

/**
 * Whether SIGINT ended a Python interpreter that was already shutting down. Python removes its SIGINT handler before the last
 * modules are unloaded; from then on the signal ends the process, whatever the app does (`_PySignal_Fini` in CPython's
 * `finalize_modules`). An app was not shutting down when it was seen in run(), when it has left a KeyboardInterrupt to Python,
 * which then ends by SIGINT, or when it had connected more than once: it may have been between two connections.
 */
export const wasInterruptedAtExit = (run: AppRun): boolean =>
  wasEnding(run) &&
  run.exit?.signal === "SIGINT" &&
  Object.keys(run.connectionEnds).length === 1 &&
  (run.runEnteredAt === null || (run.runLeftAt ?? Number.POSITIVE_INFINITY) <= (run.endRequestedAt ?? 0)) &&
  !run.stderrTail.some((line) => line.startsWith("KeyboardInterrupt"));

/** The fact by which requirements on the settings page do not concern an app without one. */
export const NO_PAGE = "custom_app_url is None, so the app has no settings page.";
