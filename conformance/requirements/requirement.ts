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

/** What a judge makes of the evidence. Only observations make a pass, and only violations a failure. */
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
  /** The requirement does not concern this app; `fact` says what of the app makes it so. */
  | { kind: "not-applicable"; fact: string }
  /** There is no observation to judge by; `fact` says what was seen instead. */
  | {
      kind: "inconclusive";
      fact: string;
      observations: readonly Observation[];
      measured: readonly Measurement[];
      /** The parts that it was judged by; undefined when there was nothing to divide. */
      aspects?: readonly Aspect[];
    };

/** A requirement that needs the app to run. Ids are stable: never renumbered, never used again. */
export interface DynamicRequirement extends Omit<Requirement, "check"> {
  /** Ids of the test runs that show it; its judge gets their app runs alone. Empty when the install shows it. */
  testRuns: readonly string[];
  /** Its judge needs the app uninstalled, and built a second time. */
  needsSecondBuild?: true;
  /**
   * Why apps of the other dialects only SHOULD meet it, where their contract does not ask for it and neither robot nor other
   * apps come to harm; and how to meet it with their SDK. Undefined: it is as strict for all.
   */
  mannersElsewhere?: { why: string; fix: string };
  /** Its judge gets the app runs of all other test runs, too, where those were executed for other requirements. */
  judgesOtherTestRuns?: true;
  /** It is about errors of the app itself: what the error of the first run violates later counts as well. */
  judgesOwnErrors?: true;
  judge(evidence: Evidence): JudgeResult;
}

/** The level of a requirement for apps of a dialect. */
export const levelIn = (dialect: Dialect, { level, mannersElsewhere }: DynamicRequirement): "MUST" | "SHOULD" =>
  mannersElsewhere !== undefined && dialect !== DEFAULT_DIALECT ? "SHOULD" : level;

/** One part of a requirement, with what was observed of it. */
export interface Aspect {
  /** For example `stop during a goto`. */
  name: string;
  /** Observations that meet it. */
  met: readonly Observation[];
  violations: readonly Violation[];
  /** Why it may be unobserved without harm, as a fact about the app; null when it must be observed. */
  notApplicable?: string | null;
  /** What was seen instead, when nothing was observed. */
  unobserved: string;
  /** The only test run that shows it; a tier without that one leaves the aspect out. */
  testRun?: string;
}

/**
 * Judges a requirement by its aspects: one violation is enough to violate it; to be met, every aspect that applies must
 * have been observed.
 */
export function judgeAspects(aspects: readonly Aspect[], measured: readonly Measurement[] = []): JudgeResult {
  const violations = aspects.flatMap((aspect) => aspect.violations);
  const observations = aspects.flatMap(({ met }) => met);
  const [firstViolation, ...moreViolations] = violations;
  if (firstViolation !== undefined)
    return { kind: "violated", violations: [firstViolation, ...moreViolations], observations, measured };
  const open = aspects.filter(({ met, notApplicable }) => met.length === 0 && (notApplicable ?? null) === null);
  if (open.length > 0) {
    const fact = open.map(({ name, unobserved }) => `${name}: ${unobserved}`).join("; ");
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

/** An observation of a run of the app. */
export const observe = ({ testRun }: AppRun, text: string, t: number | null = null): Observation => {
  return { text, testRun, t };
};

/** A text as a sentence; names such as run() and stop_event keep their small letter. */
const sentence = (text: string): string =>
  `${text.replace(/^[a-z]+(?![\w(])/, capitalize)}${text.endsWith(".") ? "" : "."}`;

const capitalize = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A duration for a sentence. */
export const seconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} s`;

/** How the process of a run ended, for a sentence. */
export function describeEnd({ exit, forceStopped, gracePeriod }: AppRun): string {
  if (forceStopped) return `did not end within ${gracePeriod} s and had to be killed`;
  if (exit === null) return "never ended";
  return exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
}

/** Whether the app was asked to end while it ran; false when it had ended by itself before. */
export const endWasRequested = ({ endRequestedAt, exitedAt }: AppRun): boolean =>
  endRequestedAt !== null && (exitedAt === null || exitedAt >= endRequestedAt);

/**
 * Whether the app exited and could clean up before: no process can after SIGKILL, and one that was interrupted twice may have
 * been about to.
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
 * Whether SIGINT met an interpreter that was ending: Python gives its handler of SIGINT up before the last modules are gone, and
 * the signal ends the process then, whatever the app does (`_PySignal_Fini` in CPython's `finalize_modules`).
 */
export const wasInterruptedAtExit = (run: AppRun): boolean => wasEnding(run) && run.exit?.signal === "SIGINT";

/** Why a requirement on the page does not concern an app without one. */
export const NO_PAGE = "custom_app_url is None, so the app has no settings page.";
