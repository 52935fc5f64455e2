/** Seconds from request to drawing beyond which a machine counts as slow: it draws without a graphics processor. */
const SLOW = 0.05;
/** The longest pause in seconds, so that a slow machine still shows motion. */
const LONGEST_PAUSE = 0.25;
/** Seconds after a key in which a slow machine draws nothing: what the key changes on the page is shown first. */
const AFTER_KEY = 0.3;
/** Seconds without a drawing after which keys do not hold it up any more. */
const LONGEST_HOLD = 1;

/**
 * Draws only on request: `draw` is called once a screen refresh for as long as it returns true. The browser gives a
 * hidden tab no refreshes; a canvas scrolled out of sight is not drawn either. On a slow machine the loop pauses as long
 * as the last drawing took, and for a while after each key, so that the rest of the page stays responsive.
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
    this.#isSlow = waited > SLOW;
    if (this.#isSlow) this.#wakeAfter(Math.min(waited, LONGEST_PAUSE));
    else if (this.#wanted) this.wake();
  };

  readonly #onKey = () => {
    if (!this.#isSlow || performance.now() - this.#drawnAt > LONGEST_HOLD * 1000) return;
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
    this.#request = undefined;
    this.#wakeAfter(AFTER_KEY);
  };

  #wakeAfter(seconds: number): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#wanted) this.wake();
    }, seconds * 1000);
  }
}
