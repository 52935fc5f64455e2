import { DEFAULT_DIALECT, type Dialect } from "../../robot/dialects/dialects.ts";
import type { AppClassFacts } from "../evidence/evidence.ts";
import type { Judgement } from "../verdict/verdict.ts";

const ID = "PKG-006";

/**
 * Judges the app's class as Python sees it, where its files do not show all of its base classes: then the check of the
 * files is inconclusive.
 */
export function judgeAppClass(judgement: Judgement, facts: AppClassFacts | null, dialect = DEFAULT_DIALECT): Judgement {
  if (judgement.id !== ID || judgement.status !== "inconclusive" || facts === null) return judgement;
  const problem = problemWith(facts, dialect);
  if (problem !== null) {
    const findings = [{ message: `Imported, the app's class ${problem}.`, file: "pyproject.toml", line: null }];
    return { ...judgement, status: "fail", reason: null, findings };
  }
  const text = `Imported, the class extends ${dialect.sdk.appClass}, and its run takes a robot and a stop event.`;
  return { ...judgement, status: "pass", reason: null, observations: [{ text, testRun: null, t: null }] };
}

function problemWith({ extendsRobotApp, runIsAsync, runAccepts }: AppClassFacts, dialect: Dialect): string | null {
  const { sdk, robotParameter } = dialect;
  const run = `def run(self, ${robotParameter}, stop_event)`;
  if (!extendsRobotApp) return `does not extend ${sdk.appClass}: from ${sdk.module} import ${sdk.appClass}`;
  if (runIsAsync) return `has an async run: ${run} must not be async`;
  return runAccepts ? null : `has a run that does not take a robot and a stop event: ${run}`;
}
