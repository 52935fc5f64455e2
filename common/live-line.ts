/** Erases the line of the cursor, and goes to its beginning. */
const ERASE = "\r\x1b[K";

/** A line of a terminal that shows what goes on. Where nobody watches, nothing is written. */
export class LiveLine {
  readonly #write: ((text: string) => void) | null;
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;

  /** @param isWatched whether a person sees the line change */
  constructor(write: (text: string) => void, isWatched: boolean) {
    this.#write = isWatched ? write : null;
  }

  draw(text: string): void {
    this.#write?.(ERASE + text);
    this.#isDrawn = true;
  }

  /** Draws the line anew each `periodMs`, until `close`. */
  redraw(text: () => string, periodMs = 200): void {
    if (this.#write !== null) this.#timer = setInterval(() => this.draw(text()), periodMs);
  }

  /** Erases the line and ends its drawing. */
  close(): void {
    clearInterval(this.#timer);
    if (this.#isDrawn) this.#write?.(ERASE);
    this.#isDrawn = false;
  }
}
