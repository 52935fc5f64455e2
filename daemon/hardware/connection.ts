import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { bringUp, type RobotFound } from "./bring-up.ts";
import { ServoBus } from "./bus.ts";
import { type Clock, sleep } from "./clock.ts";

const RETRY_MS = 500;

export interface ConnectionOptions {
  /** Opens the link, with a deadline of its own. */
  open: () => Promise<ByteLink>;
  clock: Clock;
  /** The nine servos are there and ready to move. */
  onUp: (found: RobotFound) => void;
  /** They are not, and why. Called again after every failed attempt. */
  onDown: (why: string) => void;
}

/** Keeps the robot connected: opens the link, brings the servos up, and starts over when they are lost. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #stop = new AbortController();
  #drop: (why: string) => void = () => undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#done = this.#keepUp();
  }

  /** Gives the robot up and tries anew. */
  drop(why: string): void {
    this.#drop(why);
  }

  /** Closes the link. Neither callback is called after it. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#drop("closed");
    await this.#done;
  }

  async #keepUp(): Promise<void> {
    const { clock, onDown } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const why = await this.#connectOnce().catch((error: Error) => error.message);
      if (signal.aborted) return;
      onDown(why);
      await sleep(clock, RETRY_MS, signal);
    }
  }

  /** Settles with the reason when a robot that was up is lost; rejects when it does not come up. */
  async #connectOnce(): Promise<string> {
    const { open, clock, onUp } = this.#options;
    const link = await open();
    const lost = new Promise<string>((resolve) => {
      this.#drop = resolve;
      link.onClose((reason) => resolve(unplugged(link, reason)));
    });
    const bus = new ServoBus(link, clock);
    try {
      const found = await bringUp(bus, clock, link.name);
      if (!this.#stop.signal.aborted) onUp(found);
      return await lost;
    } finally {
      bus.detach();
      await link.close();
    }
  }
}

function unplugged(link: ByteLink, reason: Error | undefined): string {
  const why = reason === undefined ? "" : ` (${reason.message})`;
  return `The link to the robot, ${link.name}, is gone${why}. Plug the robot in again: the daemon reconnects by itself.`;
}
