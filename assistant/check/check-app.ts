import { stat } from "node:fs/promises";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type App, describeApp } from "./app/app.ts";
import { type Files, readFiles } from "./app/read-files.ts";
import type { Finding, Requirement, Rule } from "./requirement.ts";
import { REQUIREMENTS } from "./requirements.ts";

/** `fail` is a MUST that is not met, `warn` a SHOULD; `error` is a defect of the check, never of the app. */
export type CheckStatus = "pass" | "fail" | "warn" | "skip" | "error";

export interface RequirementResult extends Pick<Requirement, "id" | "level" | "section" | "title"> {
  status: CheckStatus;
  findings: readonly Finding[];
  /** Why it was skipped, or the error of the check; null otherwise. */
  reason: string | null;
}

/** The results of all requirements, in the registry's order: the JSON of `check`. */
export interface CheckReport {
  /** `error` when no requirement failed but the check of one broke. */
  verdict: "conformant" | "not-conformant" | "error";
  app: string | null;
  /** The dialect that the app is written in, by its id. */
  dialect: string;
  folder: string;
  counts: Readonly<Record<CheckStatus, number>>;
  results: readonly RequirementResult[];
  /** Ids of the rules that were left out (--select, --ignore): the verdict does not cover them. */
  leftOut: readonly string[];
}

/**
 * Checks the app in a folder against every requirement, without running it.
 * @throws WorkbenchError `bad-request` when there is no such folder, `check-failed` when it cannot be read; the signal's
 *   reason when aborted
 */
export async function checkApp(folder: string, signal: AbortSignal): Promise<CheckReport> {
  const files = await readApp(folder, signal);
  return checkFiles(folder, files);
}

/**
 * Reads the files of an app's folder.
 * @throws WorkbenchError `bad-request` when there is no such folder, `check-failed` when it cannot be read; the signal's
 *   reason when aborted
 */
export async function readApp(folder: string, signal: AbortSignal): Promise<Files> {
  try {
    const found = await stat(folder).catch(unlessMissing);
    if (found?.isDirectory() !== true) {
      const what = found === undefined ? "does not exist" : "is not a folder";
      throw new WorkbenchError(
        "bad-request",
        `${folder} ${what}; name the folder of an app, where its pyproject.toml is.`,
      );
    }
    return await readFiles(folder, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WorkbenchError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new WorkbenchError("check-failed", `${folder} could not be checked: ${reason}`, { cause: error });
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}

/** Checks an app whose files have been read. @param rules those to check; all unless given */
export async function checkFiles(
  folder: string,
  files: Files,
  rules: readonly Rule[] = REQUIREMENTS,
): Promise<CheckReport> {
  const app = describeApp(files);
  const results: RequirementResult[] = [];
  for (const requirement of rules) results.push(await runRequirement(requirement, app));
  const count = (status: CheckStatus) => results.filter((each) => each.status === status).length;
  const counts = {
    pass: count("pass"),
    fail: count("fail"),
    warn: count("warn"),
    skip: count("skip"),
    error: count("error"),
  };
  const leftOut = REQUIREMENTS.filter((each) => !rules.includes(each)).map(({ id }) => id);
  const verdict = counts.fail > 0 ? "not-conformant" : counts.error > 0 ? "error" : "conformant";
  return { verdict, app: app.name ?? null, dialect: app.dialect.id, folder, counts, results, leftOut };
}

/** Runs the check of one requirement. One that throws has the status `error`; the others still run. */
export async function runRequirement(requirement: Requirement, app: App): Promise<RequirementResult> {
  const { id, level, section, check } = requirement;
  const title = requirement.titleIn?.(app.dialect) ?? requirement.title;
  const result = (status: CheckStatus, findings: readonly Finding[], reason: string | null): RequirementResult => {
    return { id, level, section, title, status, findings, reason };
  };
  try {
    const outcome = await check(app);
    if ("skip" in outcome) return result("skip", [], outcome.skip);
    if (outcome.length === 0) return result("pass", [], null);
    return result(level === "MUST" ? "fail" : "warn", outcome, null);
  } catch (error) {
    return result("error", [], error instanceof Error ? error.message : String(error));
  }
}
