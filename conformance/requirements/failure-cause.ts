import type { AppRun } from "../evidence/app-run.ts";
import type { AppUnderTest } from "../runner/app/app-under-test.ts";

const TRACEBACK = "Traceback (most recent call last)";
/** The line after a traceback that names the exception; the frames before it are indented. */
const EXCEPTION = /^(?:\w+\.)*[\p{XID_Start}_]\p{XID_Continue}*(?::|$)/u;
const MISSING_MODULE = /^ModuleNotFoundError: No module named '([^']+)'/;
/** Characters of an exception in a message. */
const SHOWN = 300;

/** The exception that the last traceback among some lines ends with, as one line; null without one. */
export function exceptionIn(lines: readonly string[]): string | null {
  const at = lines.findLastIndex((line) => line.includes(TRACEBACK));
  // The first lines of a long traceback may be gone.
  const after = lines.slice(at + 1);
  const found = after.find((line) => EXCEPTION.test(line) && (at >= 0 || line.includes(":")));
  const isCut = at < 0 && !lines.some((line) => /^\s+File "/.test(line));
  return found === undefined || isCut ? null : found.slice(0, SHOWN);
}

/** How an app ended that nobody asked to, for the end of a sentence: with its exception, and what to do about that. */
export function describeFailure({ stderrTail }: Pick<AppRun, "stderrTail">, app: Pick<AppUnderTest, "module">): string {
  const exception = exceptionIn(stderrTail);
  if (exception === null) return "";
  const [, missing] = MISSING_MODULE.exec(exception) ?? [];
  if (missing === undefined) return ` It ended by ${exception.replace(/\.$/, "")}.`;
  const [top = missing] = missing.split(".");
  const own = top === app.module.split(".")[0];
  return own
    ? ` It imports ${missing}, which is not in the installed package: list it under packages in pyproject.toml.`
    : ` It imports ${top}, which nothing that it depends on brings: add it to dependencies in pyproject.toml.`;
}

/** The exception by which an app ended itself in a run, with the place; null when it did not, or named none. */
export const ownFailureOf = ({ endRequestedAt, exit, stderrTail }: AppRun): string | null =>
  endRequestedAt !== null || exit === null || exit.code === 0 ? null : failureIn(stderrTail);

/** The exception that the last traceback among some lines ends with, and the place; null without one. */
export function failureIn(lines: readonly string[]): string | null {
  const exception = exceptionIn(lines);
  if (exception === null) return null;
  const place = lines.findLast((line) => /^\s+File "/.test(line))?.trim() ?? "";
  return `${exception} at ${place.replace(/^.*\/(?=[^/]+", line)/, "")}`;
}
