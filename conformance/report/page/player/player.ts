import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { TimeWindow } from "../../../../ui/chart/line-chart.ts";
import type { TestRun } from "../../../verdict/verdict.ts";
import { type AppState, type StateBand, stateAt, stateBands } from "./recording.ts";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

/** Seconds between two recorded samples: one step of the arrow keys. */
export const STEP = 0.04;

const LARGEST_ZOOM = 64;

/** The time of a test run that is shown, and its playback. Everything on the player card follows these signals. */
export class Player {
  readonly testRun: Signal<TestRun | null> = signal(null);
  /** Seconds from the start of the test run. */
  readonly time: Signal<number> = signal(0);
  readonly playing: Signal<boolean> = signal(false);
  readonly speed: Signal<number> = signal(1);
  readonly zoom: Signal<number> = signal(1);
  /** The stretch of time that the timeline shows. */
  readonly window: Signal<TimeWindow> = signal({ from: 0, to: 0 });
  readonly bands: ReadonlySignal<readonly StateBand[]> = computed(() =>
    this.testRun.value ? stateBands(this.testRun.value) : [],
  );
  readonly state: ReadonlySignal<AppState | null> = computed(() => stateAt(this.bands.value, this.time.value));

  get duration(): number {
    return this.testRun.value?.duration ?? 0;
  }

  open(testRun: TestRun, t = 0): void {
    batch(() => {
      this.playing.value = false;
      if (this.testRun.value !== testRun) {
        this.testRun.value = testRun;
        this.zoom.value = 1;
        this.window.value = { from: 0, to: testRun.duration };
      }
      this.seek(t);
    });
  }

  /** Goes to a time; the window follows when the time is outside of it. */
  seek(t: number): void {
    batch(() => {
      this.time.value = Math.min(this.duration, Math.max(0, t));
      const { from, to } = this.window.value;
      if (this.time.value < from || this.time.value > to) this.#centreWindow();
    });
  }

  /** Plays or pauses; at the end it starts over. */
  toggle(): void {
    batch(() => {
      if (!this.playing.value && this.time.value >= this.duration) this.seek(0);
      this.playing.value = !this.playing.value;
    });
  }

  /** Advances the playback. @param seconds of real time */
  advance(seconds: number): void {
    if (!this.playing.value) return;
    batch(() => {
      this.seek(this.time.value + seconds * this.speed.value);
      if (this.time.value >= this.duration) this.playing.value = false;
    });
  }

  /** Pauses and moves by some seconds. */
  step(seconds: number): void {
    batch(() => {
      this.playing.value = false;
      this.seek(this.time.value + seconds);
    });
  }

  /** Goes to the next event (1) or the previous one (-1). */
  jumpToEvent(direction: 1 | -1): void {
    const times = this.testRun.value?.events.map(({ t }) => t) ?? [];
    const [now, tolerance] = [this.time.value, STEP / 4];
    const next = direction > 0 ? times.find((t) => t > now + tolerance) : times.findLast((t) => t < now - tolerance);
    this.step((next ?? (direction > 0 ? this.duration : 0)) - now);
  }

  zoomBy(factor: number): void {
    batch(() => {
      this.zoom.value = Math.min(LARGEST_ZOOM, Math.max(1, this.zoom.value * factor));
      this.#centreWindow();
    });
  }

  #centreWindow(): void {
    const length = this.duration / this.zoom.value;
    const from = Math.min(this.duration - length, Math.max(0, this.time.value - length / 2));
    this.window.value = { from, to: from + length };
  }
}
