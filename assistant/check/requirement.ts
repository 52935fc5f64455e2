import type { App } from "./app/app.ts";

/** One thing that is wrong. `message` says what, the value, what is allowed, and the next step. */
export interface Finding {
  message: string;
  /** The file's path inside of the app. */
  file: string;
  /** From 1; null when the finding is about the whole file. */
  line: number | null;
}

/** What is wrong (nothing, when the requirement is met), or why that cannot be told. */
export type Answer = readonly Finding[] | { skip: string };

/** One requirement on an app. Ids are stable: never renumbered, never used again. */
export interface Requirement {
  id: string;
  level: "MUST" | "SHOULD";
  /** The section of the app contract that asks for it. */
  section: string;
  title: string;
  /** The broken apps that it is proven to catch (fixtures/broken-apps/mutants.yaml). */
  mutants: readonly string[];
  check(app: App): Answer;
}

/** A value of the app as a message shows it: quoted, control characters escaped. */
export function quote(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
