import type { Evidence } from "../evidence/evidence.ts";
import type { DynamicRequirement } from "../requirements/requirement.ts";
import { type JudgedRequirement, judge } from "./judge.ts";

/**
 * The violations that test runs have shown so far, for the progress and for `--fail-fast`. The verdict does not rest on them:
 * it judges all evidence at the end.
 */
export class ViolationsSoFar {
  readonly #requirements: readonly DynamicRequirement[];
  readonly #violated = new Map<string, JudgedRequirement>();
  #isFirst = true;

  constructor(requirements: readonly DynamicRequirement[]) {
    this.#requirements = requirements;
  }

  /**
   * Judges what a test run that has ended shows. Requirements that are judged in all test runs see that one alone: to judge
   * all motion again after each test run would take longer than the test runs.
   * @param evidence of all test runs that have ended
   * @returns the violated requirements so far
   */
  judgeTestRun(testRun: string, evidence: Evidence): JudgedRequirement[] {
    for (const requirement of this.#requirements) {
      if (this.#violated.has(requirement.id) || !this.#isShown(requirement, testRun)) continue;
      const judged = judge(requirement, requirement.judgesOtherTestRuns ? onlyTestRun(testRun, evidence) : evidence);
      if (judged.violations.length > 0) this.#violated.set(requirement.id, judged);
    }
    this.#isFirst = false;
    return [...this.#violated.values()];
  }

  /** A requirement without test runs is shown by the installation, which has ended before the first test run. */
  #isShown({ testRuns, judgesOtherTestRuns }: DynamicRequirement, testRun: string): boolean {
    return judgesOtherTestRuns || testRuns.includes(testRun) || (testRuns.length === 0 && this.#isFirst);
  }
}

const onlyTestRun = (id: string, evidence: Evidence): Evidence => ({
  ...evidence,
  appRuns: evidence.appRuns.filter(({ testRun }) => testRun === id),
});
