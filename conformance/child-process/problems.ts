import type { Judgement, TestRun, Verdict } from "../verdict/verdict.ts";
import { type Problem, VIOLATED } from "./problem.ts";

/** Maximum characters of a message and of a traceback; the app controls both. */
const LONGEST_MESSAGE = 2000;
const LONGEST_TRACEBACK = 4000;

const TRACEBACK = /^(?:\s*\+ Exception Group )?Traceback \(most recent call last\)/;

const NOT_JUDGED: readonly Judgement["status"][] = ["inconclusive", "error"];

/**
 * The requirements of a verdict that are violated, each with its first finding. Those that could not be judged are there
 * when no MUST is violated: otherwise they follow from it, for example when the app could not be installed.
 */
export function problemsOf({ results, testRuns }: Pick<Verdict, "results" | "testRuns">): Problem[] {
  const shown = results.some(({ status }) => status === "fail") ? VIOLATED : [...VIOLATED, ...NOT_JUDGED];
  return results
    .filter(({ status }) => shown.includes(status))
    .map((result) => {
      const [finding] = result.findings;
      return {
        id: result.id,
        level: result.level,
        title: result.title,
        status: result.status,
        message: (finding?.message ?? result.reason ?? result.title).slice(0, LONGEST_MESSAGE),
        file: finding?.file ?? null,
        line: finding?.line ?? null,
        replayable: testRuns.some(({ id }) => result.testRuns.includes(id)),
        traceback: tracebackOf(result, testRuns),
      };
    });
}

/**
 * The ids of the wanted requirements that were not judged, also those without a result: an app of the short tier whose files
 * violate a MUST is not run.
 */
export function notJudgedOf({ only, results }: Pick<Verdict, "only" | "results">): string[] {
  const judged = new Set(results.filter(({ status }) => !NOT_JUDGED.includes(status)).map(({ id }) => id));
  return (only ?? results.map(({ id }) => id)).filter((id) => !judged.has(id));
}

function tracebackOf({ testRuns: ids }: Judgement, testRuns: readonly TestRun[]): string | null {
  const lines = testRuns
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ log }) => log.filter(({ stream }) => stream === "stderr").map(({ text }) => text));
  return lastTraceback(lines);
}

/** The last traceback of Python in some lines: from its first line to the exception, the end of a long one. Null without one. */
export function lastTraceback(lines: readonly string[]): string | null {
  const start = lines.findLastIndex((line) => TRACEBACK.test(line));
  if (start < 0) return null;
  const rest = lines.slice(start + 1);
  // That of an exception group is drawn as a tree, with bars.
  const isGroup = !lines[start]?.startsWith("Traceback");
  const end = rest.findIndex((line) => (isGroup ? !/^\s+[|+]/.test(line) : /^\S/.test(line)));
  // Without a group the line that is not indented is the exception itself.
  const following = end < 0 ? rest : rest.slice(0, isGroup ? end : end + 1);
  return [lines[start], ...following].join("\n").slice(-LONGEST_TRACEBACK);
}
