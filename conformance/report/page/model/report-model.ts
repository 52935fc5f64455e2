import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Verdict } from "../../../verdict/verdict.ts";
import { type Group, groupsOf, type Status } from "./grades.ts";
import { firstLook, type Place, placeOf } from "./places.ts";
import { Player } from "./player.ts";

/** A verdict, and what of it is looked at. */
export class ReportModel {
  readonly verdict: Verdict;
  readonly player: Player = new Player();
  /** Only requirements of this status; null for all. */
  readonly filter: Signal<Status | null> = signal(null);
  readonly groups: ReadonlySignal<readonly Group[]>;

  constructor(verdict: Verdict) {
    this.verdict = verdict;
    this.groups = computed(() => {
      const wanted = this.filter.value;
      return groupsOf(verdict.results.filter(({ status }) => wanted === null || status === wanted));
    });
    this.follow(firstLook(verdict) ?? "");
  }

  /** Goes where an address leads, and tells where that is; null and no change when it leads nowhere. */
  follow(hash: string): Place | null {
    const place = placeOf(hash, this.verdict);
    if (place === null) return null;
    if ("requirement" in place) {
      const result = this.verdict.results.find(({ id }) => id === place.requirement);
      if (this.filter.value !== null && this.filter.value !== result?.status) this.filter.value = null;
    } else if ("status" in place) this.filter.value = place.status;
    else {
      const scene = this.verdict.scenes.find(({ id }) => id === place.scene);
      if (scene) this.player.open(scene, place.t);
    }
    return place;
  }
}
