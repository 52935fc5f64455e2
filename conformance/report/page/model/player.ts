import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Scene } from "../../../verdict/verdict.ts";
import { type Band, type SlotState, slotBands, stateAt } from "./scene.ts";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

/** Seconds between two recorded moments: what one step goes. */
export const STEP = 0.04;

const MOST_ZOOM = 64;

/** A stretch of a scene that is drawn, seconds. */
export interface Window {
  from: number;
  to: number;
}

/** What moment of which scene is shown, and how it goes on. Everything that is drawn follows from it. */
export class Player {
  readonly scene: Signal<Scene | null> = signal(null);
  /** Seconds from the scene's start. */
  readonly time: Signal<number> = signal(0);
  readonly playing: Signal<boolean> = signal(false);
  readonly speed: Signal<number> = signal(1);
  readonly zoom: Signal<number> = signal(1);
  readonly window: Signal<Window> = signal({ from: 0, to: 0 });
  readonly bands: ReadonlySignal<readonly Band[]> = computed(() =>
    this.scene.value ? slotBands(this.scene.value) : [],
  );
  readonly state: ReadonlySignal<SlotState | null> = computed(() => stateAt(this.bands.value, this.time.value));

  get duration(): number {
    return this.scene.value?.duration ?? 0;
  }

  open(scene: Scene, t = 0): void {
    batch(() => {
      this.playing.value = false;
      if (this.scene.value !== scene) {
        this.scene.value = scene;
        this.zoom.value = 1;
        this.window.value = { from: 0, to: scene.duration };
      }
      this.seek(t);
    });
  }

  /** To a moment; the window follows when it is outside. */
  seek(t: number): void {
    batch(() => {
      this.time.value = Math.min(this.duration, Math.max(0, t));
      const { from, to } = this.window.value;
      if (this.time.value < from || this.time.value > to) this.#centre();
    });
  }

  /** Plays or pauses; at the end it begins again. */
  toggle(): void {
    batch(() => {
      if (!this.playing.value && this.time.value >= this.duration) this.seek(0);
      this.playing.value = !this.playing.value;
    });
  }

  /** `seconds` of the viewer's time went by. */
  advance(seconds: number): void {
    if (!this.playing.value) return;
    batch(() => {
      this.seek(this.time.value + seconds * this.speed.value);
      if (this.time.value >= this.duration) this.playing.value = false;
    });
  }

  step(seconds: number): void {
    batch(() => {
      this.playing.value = false;
      this.seek(this.time.value + seconds);
    });
  }

  /** To the next event after the moment, or the one before it. */
  leap(direction: 1 | -1): void {
    const times = this.scene.value?.events.map(({ t }) => t) ?? [];
    const [now, near] = [this.time.value, STEP / 4];
    const next = direction > 0 ? times.find((t) => t > now + near) : times.findLast((t) => t < now - near);
    this.step((next ?? (direction > 0 ? this.duration : 0)) - now);
  }

  zoomBy(factor: number): void {
    batch(() => {
      this.zoom.value = Math.min(MOST_ZOOM, Math.max(1, this.zoom.value * factor));
      this.#centre();
    });
  }

  #centre(): void {
    const length = this.duration / this.zoom.value;
    const from = Math.min(this.duration - length, Math.max(0, this.time.value - length / 2));
    this.window.value = { from, to: from + length };
  }
}
