import { systemNeed } from "../../daemon/apps/install/tools/system-needs.ts";
import type { Violation } from "../requirements/requirement.ts";

/** Requirements on the install and on the start of an app, which fail where a library of the system is missing. */
const REQUIREMENTS = ["PKG-009", "LIFE-001", "LIFE-002"];
/** Lines at the end of an app's output that name the error which it ended with. */
const LAST_LINES = 4;
/** In the message of an install that failed. */
const IN_MESSAGE = /^(.*?: apt install [^,]*), then install the app again/;

/**
 * What this machine lacks for an app, by the message of its install or the error that its start ended with: a sentence with
 * the command that installs it, without the full stop at its end. Null when nothing of the system is missing.
 * @param id of the violated requirement
 */
export function whatMachineLacks(id: string, violations: readonly Violation[]): string | null {
  if (!REQUIREMENTS.includes(id)) return null;
  const needs = violations.flatMap(({ message, errors = [] }) => [
    IN_MESSAGE.exec(message)?.[1] ?? null,
    ...errors.slice(-LAST_LINES).map(systemNeed),
  ]);
  return needs.find((need) => need !== null) ?? null;
}
