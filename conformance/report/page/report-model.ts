import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Outcome, Verdict } from "../../verdict/verdict.ts";
import { initialLink, type LinkTarget, parseLink } from "./links.ts";
import { Player } from "./player/player.ts";
import { groupResults, type RequirementGroup } from "./verdict/grades.ts";

/** A verdict, and which part of it the report shows. */
export class ReportModel {
  readonly verdict: Verdict;
  readonly player: Player = new Player();
  /** Shows only requirements with this status; null shows all. */
  readonly filter: Signal<Outcome | null> = signal(null);
  readonly groups: ReadonlySignal<readonly RequirementGroup[]>;

  constructor(verdict: Verdict) {
    this.verdict = verdict;
    this.groups = computed(() => {
      const wanted = this.filter.value;
      return groupResults(verdict.results.filter(({ status }) => wanted === null || status === wanted));
    });
    this.follow(initialLink(verdict) ?? "");
  }

  /** Shows what a link names. @returns its target; null, without a change, when it names nothing */
  follow(hash: string): LinkTarget | null {
    const target = parseLink(hash, this.verdict);
    if (target === null) return null;
    if ("requirement" in target) {
      const result = this.verdict.results.find(({ id }) => id === target.requirement);
      if (this.filter.value !== null && this.filter.value !== result?.status) this.filter.value = null;
    } else if ("status" in target) this.filter.value = target.status;
    else {
      const testRun = this.verdict.testRuns.find(({ id }) => id === target.testRun);
      if (testRun) this.player.open(testRun, target.t);
    }
    return target;
  }
}
