/** Seconds between refreshes beyond which a machine counts as slow: it draws without a graphics processor. */
const SLOW = 0.05;
/** The longest rest, so that a slow machine still shows motion. */
const LONGEST_REST = 0.25;

/**
 * Draws when asked and not otherwise: `draw` is called once a screen refresh for as long as it answers true. A hidden
 * tab gets no refreshes from the browser; a canvas scrolled out of sight is paused here. A slow machine rests as long
 * as its last drawing took, so that the rest of the page stays usable.
 */
export class RenderLoop {
  readonly #draw: (seconds: number) => boolean;
  readonly #watcher: IntersectionObserver;
  #request: number | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #visible = true;
  #wanted = false;

  constructor(canvas: HTMLCanvasElement, draw: (seconds: number) => boolean) {
    this.#draw = draw;
    this.#watcher = new IntersectionObserver(([entry]) => {
      this.#visible = entry?.isIntersecting ?? true;
      if (this.#visible && this.#wanted) this.wake();
    });
    this.#watcher.observe(canvas);
  }

  wake(): void {
    this.#wanted = true;
    if (!this.#visible || this.#rest !== undefined || this.#request !== undefined) return;
    this.#asked = performance.now();
    this.#request = requestAnimationFrame(this.#tick);
  }

  stop(): void {
    this.#watcher.disconnect();
    clearTimeout(this.#rest);
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
  }

  readonly #tick = (milliseconds: number) => {
    this.#request = undefined;
    const waited = (performance.now() - this.#asked) / 1000;
    this.#wanted = this.#draw(milliseconds / 1000);
    if (waited > SLOW) this.#pause(Math.min(waited, LONGEST_REST));
    else if (this.#wanted) this.wake();
  };

  #pause(seconds: number): void {
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      if (this.#wanted) this.wake();
    }, seconds * 1000);
  }
}
