import type { Finding } from "../../assistant/check/requirement.ts";
import type { DynamicRequirement, Violation } from "../requirements/requirement.ts";
import { type AppUnderTest, mainFileOf } from "../runner/app/app-under-test.ts";
import type { TestRun, TestRunEvent } from "../verdict/verdict.ts";

type AppPlace = Pick<AppUnderTest, "module" | "sourceRoot">;

/**
 * Turns violations into findings in the app's files: at the innermost line of the app in a traceback, else at its main
 * module. Equal violations become one finding.
 */
export function findingsOf(violations: readonly Violation[], app: AppPlace): Finding[] {
  const all = violations.map(({ message, errors = [], at }) => ({ message, ...(at ?? placeIn(errors, app)) }));
  return all.flatMap((finding, index) => {
    const same = all.filter(({ message, file, line }) => {
      return message === finding.message && file === finding.file && line === finding.line;
    });
    if (all.indexOf(same[0] as Finding) !== index) return [];
    return [same.length === 1 ? finding : { ...finding, message: `${finding.message} (${same.length} times)` }];
  });
}

function placeIn(errors: readonly string[], app: AppPlace): Pick<Finding, "file" | "line"> {
  const { module, sourceRoot } = app;
  const own = module.split(".")[0] ?? module;
  const frames = errors.flatMap((line) => {
    const [, path = "", number] = /^\s*File "([^"]+)", line (\d+)/.exec(line) ?? [];
    const at = path.lastIndexOf(`/${own}/`);
    return at < 0 ? [] : [{ file: `${sourceRoot}${path.slice(at + 1)}`, line: Number(number) }];
  });
  return frames.at(-1) ?? { file: mainFileOf(app), line: null };
}

/** Adds the violations to the events of the test runs that show them. */
export function addFindings(
  testRuns: readonly TestRun[],
  judged: readonly { requirement: DynamicRequirement; violations: readonly Violation[] }[],
): TestRun[] {
  const events = judged.flatMap(({ requirement: { id, level }, violations }) =>
    violations.map(({ message, testRun, t = 0 }) => {
      const severity = level === "MUST" ? "error" : "warning";
      const event: TestRunEvent = { t, kind: "finding", state: null, level: severity, text: `${id}: ${message}` };
      return { testRun, event };
    }),
  );
  return testRuns.map((testRun) => {
    const own = events.flatMap((each) => (each.testRun === testRun.id ? [each.event] : []));
    return { ...testRun, events: [...testRun.events, ...own].sort((one, other) => one.t - other.t) };
  });
}
