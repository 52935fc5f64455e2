import { stat } from "node:fs/promises";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type App, describeApp } from "./app/app.ts";
import { type Files, readFiles } from "./app/read-files.ts";
import type { Finding, Requirement } from "./requirement.ts";
import { REQUIREMENTS } from "./requirements.ts";

/** `fail` is a MUST that is not met, `warn` a SHOULD; `error` is a defect of the check, never of the app. */
export type Status = "pass" | "fail" | "warn" | "skip" | "error";

/** What came of one requirement. */
export interface Result extends Pick<Requirement, "id" | "level" | "section" | "title"> {
  status: Status;
  findings: readonly Finding[];
  /** Why it was skipped, or what broke in the check; null otherwise. */
  reason: string | null;
}

/** What came of all of them, in the registry's order: the shape of `check --json`. */
export interface Report {
  /** `error` when nothing failed that could be checked, but something could not be. */
  verdict: "conformant" | "not-conformant" | "error";
  app: string | null;
  folder: string;
  counts: Readonly<Record<Status, number>>;
  results: readonly Result[];
}

/**
 * Checks the app in a folder against every requirement, without running it.
 * @throws WorkbenchError `bad-request` when there is no such folder, `check-failed` when it cannot be read; the signal's
 *   reason when aborted
 */
export async function checkApp(folder: string, signal: AbortSignal): Promise<Report> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    const what = found === undefined ? "does not exist" : "is not a folder";
    throw new WorkbenchError(
      "bad-request",
      `${folder} ${what}; name the folder of an app, where its pyproject.toml is.`,
    );
  }
  try {
    return reportOn(folder, await readFiles(folder, signal));
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkbenchError("check-failed", `${folder} could not be checked: ${why}`, { cause: error });
  }
}

/** The report on an app whose files are read already. */
export function reportOn(folder: string, files: Files): Report {
  const app = describeApp(files);
  const results = REQUIREMENTS.map((requirement) => resultOf(requirement, app));
  const count = (status: Status) => results.filter((each) => each.status === status).length;
  const counts = {
    pass: count("pass"),
    fail: count("fail"),
    warn: count("warn"),
    skip: count("skip"),
    error: count("error"),
  };
  const verdict = counts.fail > 0 ? "not-conformant" : counts.error > 0 ? "error" : "conformant";
  return { verdict, app: app.name ?? null, folder, counts, results };
}

/** Asks one check. One that throws is an error of its own and leaves the others their say. */
export function resultOf({ id, level, section, title, check }: Requirement, app: App): Result {
  const result = (status: Status, findings: readonly Finding[], reason: string | null): Result => {
    return { id, level, section, title, status, findings, reason };
  };
  try {
    const answer = check(app);
    if ("skip" in answer) return result("skip", [], answer.skip);
    if (answer.length === 0) return result("pass", [], null);
    return result(level === "MUST" ? "fail" : "warn", answer, null);
  } catch (error) {
    return result("error", [], error instanceof Error ? error.message : String(error));
  }
}
