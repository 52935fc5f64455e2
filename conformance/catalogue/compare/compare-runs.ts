import { type Problem, VIOLATED } from "../../child-process/problem.ts";
import type { AppVerdict, CatalogueRun, RunEntry } from "../run/catalogue-run.ts";
import { type Cause, groupByCause } from "./causes.ts";

/** An app whose verdict is another one than before. */
interface VerdictChange {
  name: string;
  before: AppVerdict;
  after: AppVerdict;
  /** Whether its files changed. */
  filesChanged: boolean;
  /** Requirements that it violates now, and that the earlier run judged and did not report as violated. */
  broke: readonly string[];
}

/** What changed from one run over a catalogue to another. */
export interface RunComparison {
  format: "robot-catalogue-comparison";
  formatVersion: 1;
  before: { startedAt: string; suite: string; counts: CatalogueRun["counts"] };
  after: { startedAt: string; suite: string; counts: CatalogueRun["counts"] };
  /** Apps with a worse verdict, and apps that violate a further requirement. */
  worse: readonly VerdictChange[];
  better: readonly VerdictChange[];
  /** Other changes: from or to a run without a verdict. */
  other: readonly VerdictChange[];
  appeared: readonly string[];
  vanished: readonly string[];
  /** The newly violated requirements of all apps, grouped. */
  causes: readonly Cause[];
}

/** From the best verdict to the worst; `error` says nothing about the app. */
const ORDER: readonly AppVerdict[] = ["conformant", "inconclusive", "not-conformant"];

/** Compares a run with an earlier one. Apps are the same when their names are. */
export function compareRuns(before: CatalogueRun, after: CatalogueRun): RunComparison {
  const old = new Map(before.apps.map((app) => [app.name, app]));
  const pairs = after.apps.flatMap((app) => {
    const earlier = old.get(app.name);
    return earlier === undefined ? [] : [{ earlier, app, broken: brokenBetween(earlier, app) }];
  });
  const changes = pairs.flatMap(({ earlier, app, broken }) => changeOf(earlier, app, broken));
  const rank = (verdict: AppVerdict) => ORDER.indexOf(verdict);
  const isJudged = ({ before, after }: VerdictChange) => before !== "error" && after !== "error";
  const isWorse = (change: VerdictChange) =>
    isJudged(change) &&
    (rank(change.after) > rank(change.before) ||
      (rank(change.after) === rank(change.before) && change.broke.length > 0));
  const isBetter = (change: VerdictChange) => isJudged(change) && rank(change.after) < rank(change.before);
  const now = new Set(after.apps.map(({ name }) => name));
  const side = ({ startedAt, suite, counts }: CatalogueRun) => ({ startedAt, suite, counts });
  return {
    format: "robot-catalogue-comparison",
    formatVersion: 1,
    before: side(before),
    after: side(after),
    worse: changes.filter(isWorse),
    better: changes.filter(isBetter),
    other: changes.filter((change) => !isWorse(change) && !isBetter(change)),
    appeared: after.apps.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    vanished: before.apps.filter(({ name }) => !now.has(name)).map(({ name }) => name),
    causes: groupByCause(pairs.flatMap(({ app, broken }) => broken.map((problem) => ({ app, problem })))),
  };
}

/**
 * Requirements that an app violates now, and that the earlier run judged and did not report as violated. None after `error`,
 * which judges nothing.
 */
function brokenBetween(before: RunEntry, after: RunEntry): Problem[] {
  const violated = (app: RunEntry) => app.problems.filter(({ status }) => VIOLATED.includes(status));
  if (before.verdict === "error") return [];
  const known = new Set([...violated(before).map(({ id }) => id), ...before.notJudged]);
  return violated(after).filter(({ id }) => !known.has(id));
}

function changeOf(before: RunEntry, after: RunEntry, broken: readonly Problem[]): VerdictChange[] {
  if (before.verdict === after.verdict && broken.length === 0) return [];
  const filesChanged = before.digest !== after.digest;
  return [
    { name: after.name, before: before.verdict, after: after.verdict, filesChanged, broke: broken.map(({ id }) => id) },
  ];
}

/** A comparison as text for a person. */
export function formatRunComparison({ before, after, causes, ...changes }: RunComparison): string {
  const list = (title: string, of: readonly VerdictChange[]) =>
    of.length === 0
      ? []
      : [
          `${title}: ${of.length}`,
          ...of.map((change) => {
            const broke = change.broke.length === 0 ? "" : `, breaks ${change.broke.join(", ")}`;
            const files = change.filesChanged ? ", its files changed" : "";
            return `  ${change.name}: ${change.before} → ${change.after}${broke}${files}`;
          }),
        ];
  const { worse, better, other, appeared, vanished } = changes;
  const count = worse.length + better.length + other.length;
  return [
    `runs: ${before.startedAt} → ${after.startedAt}`,
    ...(before.suite === after.suite ? [] : [`suite: ${before.suite} → ${after.suite}`]),
    ...list("worse", worse),
    ...list("better", better),
    ...list("other", other),
    ...(causes.length === 0 ? [] : ["causes:"]),
    ...causes.map(
      ({ requirement, message, apps }) => `  ${requirement}, ${apps.length} apps: ${message.split("\n")[0]}`,
    ),
    ...(appeared.length === 0 ? [] : [`new: ${appeared.length}`]),
    ...(vanished.length === 0 ? [] : [`gone: ${vanished.length}`]),
    ...(count === 0 ? ["No verdict changed."] : []),
    "",
  ].join("\n");
}
