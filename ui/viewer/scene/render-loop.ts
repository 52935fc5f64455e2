/** Seconds from the request of a frame to its drawing from which a machine counts as slow: it has no graphics processor. */
const SLOW_FRAME_S = 0.05;
/** The longest pause between two drawings in seconds, so that a slow machine still shows motion. */
const MAX_PAUSE_S = 0.25;
/** Seconds after a key in which a slow machine draws nothing: what the key changes on the page is shown first. */
const PAUSE_AFTER_KEY_S = 0.3;
/** Seconds since the last drawing after which keys do not postpone the next one any more. */
const MAX_POSTPONED_S = 1;

/**
 * Draws only on request: after `wake`, `draw` is called once a screen refresh for as long as it returns true. The browser
 * gives a hidden tab no refreshes; a canvas scrolled out of sight is not drawn either. On a slow machine the loop pauses as
 * long as the last frame waited for its drawing, and for a while after each key, so that the rest of the page stays
 * responsive.
 */
export class RenderLoop {
  readonly #draw: (seconds: number) => boolean;
  readonly #visibility: IntersectionObserver;
  #request: number | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #requestedAt = 0;
  #drawnAt = 0;
  #visible = true;
  #wanted = false;
  #isSlow = false;

  /** @param draw draws a frame; gets the time since the page was opened, seconds, and returns whether to draw the next one */
  constructor(canvas: HTMLCanvasElement, draw: (seconds: number) => boolean) {
    this.#draw = draw;
    this.#visibility = new IntersectionObserver(([entry]) => {
      this.#visible = entry?.isIntersecting ?? true;
      if (this.#visible && this.#wanted) this.wake();
    });
    this.#visibility.observe(canvas);
    addEventListener("keydown", this.#onKey, true);
  }

  /** Whether the last drawing waited long: this machine has no graphics processor, or is overloaded. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  wake(): void {
    this.#wanted = true;
    if (!this.#visible || this.#pause !== undefined || this.#request !== undefined) return;
    this.#requestedAt = performance.now();
    this.#request = requestAnimationFrame(this.#tick);
  }

  /** Ends the loop for good. */
  stop(): void {
    this.#visibility.disconnect();
    removeEventListener("keydown", this.#onKey, true);
    clearTimeout(this.#pause);
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
  }

  readonly #tick = (milliseconds: number) => {
    this.#request = undefined;
    const waited = (performance.now() - this.#requestedAt) / 1000;
    this.#wanted = this.#draw(milliseconds / 1000);
    this.#drawnAt = performance.now();
    this.#isSlow = waited > SLOW_FRAME_S;
    if (this.#isSlow) this.#wakeAfter(Math.min(waited, MAX_PAUSE_S));
    else if (this.#wanted) this.wake();
  };

  readonly #onKey = () => {
    if (!this.#isSlow || performance.now() - this.#drawnAt > MAX_POSTPONED_S * 1000) return;
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
    this.#request = undefined;
    this.#wakeAfter(PAUSE_AFTER_KEY_S);
  };

  #wakeAfter(seconds: number): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#wanted) this.wake();
    }, seconds * 1000);
  }
}
