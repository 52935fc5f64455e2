import type { Tier } from "../certify/tiers.ts";
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
  /** Folder in which the process writes `EVIDENCE_FILE`. */
  out: string;
  /** Whether it also writes the report there. */
  report: boolean;
}

/** How far a certification is. */
export interface CertifyProgress {
  kind: "progress";
  /** Steps that have ended. */
  done: number;
  /** All steps, those that have ended among them. */
  planned: number;
  /** Ids of the requirements that are violated so far. */
  violated: readonly string[];
}

/** The result of a certification that has come to its end. */
export interface CertifyVerdict {
  kind: "verdict";
  verdict: "conformant" | "not-conformant" | "inconclusive";
  app: string | null;
  problems: Problem[];
  /** Ids of the requirements that were observed to be met. */
  passed: string[];
  /** Ids of the requirements that were not judged. */
  notJudged: string[];
}

/** Why there is no verdict, for a reason that is not the app's. */
export interface HarnessFailure {
  kind: "harness-error";
  message: string;
}

/** What the process knows of its own cost. */
interface OwnCost {
  /** Processor time of the process and all that it has started, seconds. */
  cpuSeconds: number;
  /** Resident memory of the process alone at its end, bytes. */
  memoryBytes: number;
}

/** What the process answers; the last message from it. */
export type CertifyAnswer = (CertifyVerdict | HarnessFailure) & OwnCost;

/** What the process sends. */
export type CertifyMessage = CertifyProgress | CertifyAnswer;

/** Name of the file with the whole verdict and its test runs: JSON, compressed with gzip. */
export const EVIDENCE_FILE = "verdict.json.gz";
