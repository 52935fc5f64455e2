/**
 * Draws when asked and not otherwise: `draw` is called once a screen refresh for as long as it answers true. A hidden
 * tab gets no refreshes from the browser; a canvas scrolled out of sight is paused here.
 */
export class RenderLoop {
  readonly #draw: (seconds: number) => boolean;
  readonly #watcher: IntersectionObserver;
  #request: number | undefined;
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
    if (this.#visible) this.#request ??= requestAnimationFrame(this.#tick);
  }

  stop(): void {
    this.#watcher.disconnect();
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
  }

  readonly #tick = (milliseconds: number) => {
    this.#request = undefined;
    this.#wanted = this.#draw(milliseconds / 1000);
    if (this.#wanted) this.wake();
  };
}
