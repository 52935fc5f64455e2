import type { Dialect } from "../../robot/dialects/dialects.ts";
import type { App } from "./app/app.ts";

/** A problem. `message` names the problem, the value, the allowed values and the next step. */
export interface Finding {
  message: string;
  /** Path of the file inside the app. */
  file: string;
  /** Line from 1; null when the finding is about the whole file. */
  line: number | null;
}

/** The problems found (none when the requirement is met), or why the check was skipped. */
export type CheckResult = readonly Finding[] | { skip: string };

/** A requirement on an app. Ids are stable: they are never renumbered or reused. */
export interface Requirement {
  id: string;
  level: "MUST" | "SHOULD";
  /** Section of the app contract. */
  section: string;
  title: string;
  /** The title in the names of a dialect, where it has any. */
  titleIn?(dialect: Dialect): string;
  /** The broken apps that tests prove it catches (fixtures/broken-apps/mutants.yaml). */
  mutants: readonly string[];
  check(app: App): CheckResult | Promise<CheckResult>;
}

/** A file of the app with its new text; one that does not exist is created. */
export interface FileEdit {
  file: string;
  text: string;
}

/** A part of a file of an app named my_app: as the rule refuses it, and as it must be. */
export interface RuleExample {
  file: string;
  /** Null when the rule refuses the app without the file. */
  wrong: string | null;
  right: string;
}

/** A requirement of `check`, with everything that people read about it. */
export interface Rule extends Requirement {
  /** Why it exists and how to meet it, in plain text, for `check --explain` and docs/rules.md. */
  explanation: string;
  example: RuleExample;
  /** What `check --fix` does about it, as a phrase; undefined when nothing is mechanical about it. */
  fixes?: string;
  /**
   * The changes that remove its findings, none when that takes a person. Called only for an app with findings. A change
   * that does not remove a finding, or causes another one, is dropped by the caller.
   */
  fix?(app: App): readonly FileEdit[];
}

/** A value of the app for a message: as JSON, so that control characters are escaped. */
export function quote(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
