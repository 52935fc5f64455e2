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
  /** The broken apps that tests prove it catches (fixtures/broken-apps/mutants.yaml). */
  mutants: readonly string[];
  check(app: App): CheckResult | Promise<CheckResult>;
}

/** A value of the app for a message: as JSON, so that control characters are escaped. */
export function quote(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
