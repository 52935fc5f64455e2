import type { Tier } from "../certify/tiers.ts";
import type { AppTests } from "../verdict/verdict.ts";
import type { Problem } from "./problem.ts";

/** What the process of a certification is asked to do; the only message to it. */
export interface CertifyTask {
  /** The app's folder. */
  folder: string;
  tier: Tier;
  seed: number;
  /** Test runs at a time. */
  jobs: number;
  /** Folder with the clean Python environment, which must exist. */
  cache: string;
  /** Version of the suite. */
  version: string;
  /** Where the process writes `verdict.json.gz`. */
  out: string;
  /** Whether it writes the report there, too. */
  report: boolean;
}

/** Steps of a certification: how many are done and planned, and the requirements that are violated so far. */
export interface CertifyProgress {
  kind: "progress";
  done: number;
  planned: number;
  violated: readonly string[];
}

export interface CertifyVerdict {
  kind: "verdict";
  verdict: "conformant" | "not-conformant" | "inconclusive";
  app: string | null;
  problems: Problem[];
  /** Ids of the requirements that were observed to be met. */
  passed: string[];
  /** Ids of the requirements that were not judged. */
  notJudged: string[];
  /** The result of the app's own tests; null when they were not run. */
  appTests: AppTests | null;
  /** Processor time of the process and all that it has started, seconds. */
  cpuSeconds: number;
}

export interface HarnessFailure {
  kind: "harness-error";
  message: string;
  /** As of a verdict. */
  cpuSeconds: number;
}

/** What the process answers; the last message from it. */
export type CertifyAnswer = CertifyVerdict | HarnessFailure;

export type MessageOfCertification = CertifyProgress | CertifyAnswer;

/** The whole verdict with its test runs, as gzip. */
export const EVIDENCE_FILE = "verdict.json.gz";
