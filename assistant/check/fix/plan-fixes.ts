import { type App, describeApp } from "../app/app.ts";
import { type Files, withoutIgnored } from "../app/read-files.ts";
import { runRequirement } from "../check-app.ts";
import type { Rule } from "../requirement.ts";
import { REQUIREMENTS } from "../requirements.ts";

/** A change of one file: `before` is null for a file that is created. */
export interface PlannedChange {
  file: string;
  before: string | null;
  after: string;
}

export interface FixPlan {
  changes: readonly PlannedChange[];
  /** The rules whose findings the changes remove. */
  fixed: readonly string[];
}

/** One fix can make the next one possible: a package first, then the entry point that names it. */
const MAX_ROUNDS = 4;

/**
 * Plans the mechanical fixes of some rules. Each is tried on the files in memory and kept only when its rule can still be
 * judged and has fewer findings, and no other rule has more, of those that were not selected, too.
 */
export async function planFixes(files: Files, rules: readonly Rule[]): Promise<FixPlan> {
  const fixed = new Set<string>();
  let state = await stateOf(files);
  for (let round = 0, changed = true; changed && round < MAX_ROUNDS; round += 1) {
    changed = false;
    for (const rule of rules) {
      const next = await tryFix(rule, state);
      if (next === null) continue;
      state = next;
      fixed.add(rule.id);
      changed = true;
    }
  }
  const changes = [...state.app.files].flatMap(([file, after]): PlannedChange[] => {
    const before = files.get(file) ?? null;
    return after === null || after === before ? [] : [{ file, before, after }];
  });
  return { changes, fixed: [...fixed].sort() };
}

/** An app, and the number of findings of each rule that could be judged. */
interface State {
  app: App;
  counts: ReadonlyMap<string, number>;
}

/** The app with the rule's fix; null when the rule has no findings, or no fix that helps. */
async function tryFix(rule: Rule, { app, counts }: State): Promise<State | null> {
  if (rule.fix === undefined || (counts.get(rule.id) ?? 0) === 0) return null;
  const edits = rule.fix(app);
  // A file whose text could not be read is never written.
  if (edits.length === 0 || edits.some(({ file }) => app.files.get(file) === null)) return null;
  const edited = new Map(app.files);
  for (const { file, text } of edits) edited.set(file, text);
  const ignores = edits.some(({ file }) => file === ".gitignore");
  const next = await stateOf(ignores ? withoutIgnored(edited) : edited);
  const more = (id: string) => (next.counts.get(id) ?? 0) - (counts.get(id) ?? 0);
  // A rule that was skipped may find something now: that was wrong before, too.
  const harms = REQUIREMENTS.some(({ id }) => counts.has(id) && more(id) > 0);
  return next.counts.has(rule.id) && more(rule.id) < 0 && !harms ? next : null;
}

async function stateOf(files: Files): Promise<State> {
  const app = describeApp(files);
  const counts = new Map<string, number>();
  for (const rule of REQUIREMENTS) {
    const { status, findings } = await runRequirement(rule, app);
    if (status !== "skip" && status !== "error") counts.set(rule.id, findings.length);
  }
  return { app, counts };
}
