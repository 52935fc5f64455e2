import { createHash } from "node:crypto";
import type { Problem } from "../../child-process/problem.ts";
import type { RunEntry } from "../run/catalogue-run.ts";

/** One reason why apps are as they are: the same requirement, the same finding, the same traceback. */
export interface Cause {
  /** The same for the same cause in every run. */
  id: string;
  requirement: string;
  title: string;
  status: Problem["status"];
  /** Of the first app with it. */
  message: string;
  traceback: string | null;
  apps: string[];
}

/**
 * The form in which findings and tracebacks compare: without numbers, addresses, and the folders and names of the app, so
 * that two apps that fail in the same way have the same one.
 */
export function normalise(text: string, app: string): string {
  const names = [app, app.replaceAll("-", "_")].filter((name) => name !== "");
  const withoutNames = names.reduce((rest, name) => rest.replaceAll(wholeWord(name), "APP"), text);
  return withoutNames
    .replace(/(?:\/[^\s"'/:]+)+\/([^\s"'/:]+)/g, "$1")
    .replace(/0x[0-9a-f]+/gi, "N")
    .replace(/\d+(?:\.\d+)?/g, "N");
}

/** A name that is no part of a longer one: that of an app may begin the names of libraries. */
const wholeWord = (name: string): RegExp =>
  new RegExp(`(?<!\\w)${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`, "g");

/** The id of the cause of a problem. */
export function causeId({ id, message, traceback }: Problem, app: string): string {
  // A traceback says more than the finding, which often has figures of the run in it.
  const what = traceback === null ? normalise(message, app) : normalise(traceback, app);
  return createHash("sha256").update(`${id}\0${what}`).digest("hex").slice(0, 12);
}

/** The name of an app's module, as its tracebacks have it. */
const moduleOf = ({ name }: Pick<RunEntry, "name">): string => name.split("/").at(-1) ?? name;

/** Groups problems of apps by their causes, those of most apps first. */
export function groupByCause(problems: readonly { app: Pick<RunEntry, "name">; problem: Problem }[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const { app, problem } of problems) {
    const id = causeId(problem, moduleOf(app));
    const { title, status, message, traceback } = problem;
    const cause = causes.get(id) ?? { id, requirement: problem.id, title, status, message, traceback, apps: [] };
    cause.apps.push(app.name);
    causes.set(id, cause);
  }
  return [...causes.values()].sort(
    (one, other) => other.apps.length - one.apps.length || one.id.localeCompare(other.id),
  );
}
