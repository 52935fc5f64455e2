import type { Attempt, CatalogueVerdict, VerdictKey } from "../catalogue-verdict.ts";

/** Keeps verdicts, their evidence, attempts that gave no verdict, and reports. Several processes may use it at the same time. */
export interface VerdictStore {
  /** Folder of this machine in which verdicts are until they are kept; null when there is none. */
  readonly unfinished: string | null;
  /** The verdict of a key; null when there is none yet, or when its record is damaged, which is then moved away. */
  get(key: VerdictKey): Promise<CatalogueVerdict | null>;
  /**
   * Keeps a verdict, whole or not at all, unless there is one of its key.
   * @param evidence files by name
   * @returns whether this is the verdict that is kept
   */
  put(verdict: CatalogueVerdict, evidence: Readonly<Record<string, Uint8Array>>): Promise<boolean>;
  /** Forgets a verdict and the attempts at its key, so that the app is certified again. */
  forget(key: VerdictKey): Promise<void>;
  /**
   * Notes under an id of one's own which verdict is that of an app, for those who do not know the digest of its files.
   * The same id always has the same key.
   */
  link(id: string, key: VerdictKey): Promise<void>;
  /** The verdict that was noted under an id; null without one. */
  linked(id: string): Promise<CatalogueVerdict | null>;
  /** Attempts at a key that gave no verdict, the oldest first; also those that run now. Damaged ones are left out. */
  attempts(key: VerdictKey): Promise<Attempt[]>;
  /** Notes that an attempt begins. Without a result, it runs or was lost with its worker. */
  beginAttempt(key: VerdictKey, attempt: Attempt): Promise<StartedAttempt>;
  /** Writes a report, whole or not at all, in place of an earlier one. @returns where it is, for people */
  writeReport(name: string, text: string): Promise<string>;
  /** The text of a report; null when there is none. */
  readReport(name: string): Promise<string | null>;
  /** Names of the reports in a folder, without it. */
  listReports(folder: string): Promise<string[]>;
}

/** An attempt that was noted in the store. */
export interface StartedAttempt {
  /** Notes why it gave no verdict. */
  fail(failure: NonNullable<Attempt["failure"]>): Promise<void>;
  /** Removes it: it gave a verdict, or was cancelled for a reason that is not the app's. */
  remove(): Promise<void>;
}
