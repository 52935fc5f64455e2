import type { Emitter } from "../../common/emitter.ts";
import type { AskEvent } from "../../robot/wire/workshop/ask.ts";
import type { RequirementProblem } from "../../robot/wire/workshop/certification.ts";
import type {
  FailurePlace,
  FileText,
  KeepBody,
  WorkshopContents,
  WorkshopFinding,
  WrittenFile,
} from "../../robot/wire/workshop/workshop.ts";
import type { AppCopy } from "../apps/catalogue/installed-app.ts";

/** A request for an edit of one file. */
interface Question {
  file: string;
  /** What is changed and not kept. */
  files: readonly FileText[];
  /** Empty for the next edit after those before. */
  instruction: string;
}

/** A copy of the app with changes, to run. */
export interface ChangedCopy extends AppCopy {
  /** Whether the changes are those of the app's own folder. */
  isKept: boolean;
}

/**
 * The folder of the app that is edited over HTTP. The program plugs it in; what it finds is what `check` and `edit` find.
 * Its methods reject with a WorkbenchError.
 */
export interface Workshop {
  readonly app: string;
  readonly folder: string;
  /** Emits before files are written. */
  readonly writes: Emitter<readonly WrittenFile[]>;
  /** The app's text files, without hidden ones, links, and those that tools make. */
  contents(signal: AbortSignal): Promise<Omit<WorkshopContents, "physical">>;
  /** What `check` finds in the app with changes. */
  check(changes: readonly FileText[], signal: AbortSignal): Promise<WorkshopFinding[]>;
  /** Copies the app with changes. Nothing is written to its own folder. @throws WorkbenchError `edit-refused` */
  shadow(changes: readonly FileText[], signal: AbortSignal): Promise<ChangedCopy>;
  /**
   * Copies the app with changes, to certify it. The copy stays as it is until the next one.
   * @returns its folder, and the revision of what was copied
   */
  copyToCertify(changes: readonly FileText[], signal: AbortSignal): Promise<{ folder: string; revision: string }>;
  /**
   * Writes files so that it can be undone, all or none.
   * @throws WorkbenchError `edit-refused` when one changed since it was read or must not be written here,
   *   `confirmation-required`
   * @returns the time that names the edit, and the files; null when nothing was changed
   */
  keep(edit: KeepBody): Promise<{ edit: string; written: string[] } | null>;
  /**
   * Has a model edit a file as it is with changes. The last event is an answer, or `no-change`.
   * @throws WorkbenchError why there is no edit, for example `model-unreachable` or `edit-refused`
   */
  ask(question: Question, emit: (event: AskEvent) => void, signal: AbortSignal): Promise<void>;
  /** Where the last traceback in a log leads to in the app; null when the log has none with a line of the app. */
  failurePlace(log: string, signal: AbortSignal): Promise<FailurePlace | null>;
  /**
   * What to ask for so that a finding, or the failure of the app, ends, or a requirement is met.
   * @param log what the app printed in its last run
   * @throws WorkbenchError `bad-request` when the log has no traceback with a line of the app
   */
  fixInstruction(
    fix: WorkshopFinding | RequirementProblem | "failure",
    log: string,
    signal: AbortSignal,
  ): Promise<{ file: string; instruction: string }>;
  /**
   * Undoes the last edit.
   * @param time of the edit @throws WorkbenchError `edit-refused` when it is not the last one, or a file changed since
   * @returns its files
   */
  undo(time: string): Promise<string[]>;
}

/** Opens the workshop of an app's folder. */
export interface OpenWorkshopOptions {
  folder: string;
  /** Where copies of the app go; belongs to the workshop alone. */
  copiesFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  now(): Date;
}
