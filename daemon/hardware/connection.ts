import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { type Clock, sleep } from "../clock.ts";
import { bringUp, type RobotFound } from "./bring-up.ts";
import { ServoBus } from "./bus.ts";

const RETRY_MS = 500;
/** Attempts on one open link before it is opened anew, in case it is the adapter that hangs. */
const FAILURES_PER_LINK = 5;

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
      const why = await this.#useLink().catch((error: Error) => error.message);
      if (!signal.aborted) onDown(why);
      await sleep(clock, RETRY_MS, signal);
    }
  }

  /** Opens a link and keeps the robot up on it. Settles with the reason why another link is needed. */
  async #useLink(): Promise<string> {
    const { open, clock, onDown } = this.#options;
    const { signal } = this.#stop;
    const link = await open();
    const bus = new ServoBus(link, clock);
    const unplugged = new Promise<string>((resolve) => link.onClose((reason) => resolve(gone(link, reason))));
    try {
      let why = "";
      for (let failures = 0; failures < FAILURES_PER_LINK && !bus.closed && !signal.aborted; failures++) {
        const dropped = new Promise<string>((resolve) => {
          this.#drop = resolve;
        });
        const failed = await Promise.race([unplugged, dropped, this.#bringUp(bus, link.name)]);
        if (failed === undefined) failures = 0;
        why = failed ?? (await Promise.race([unplugged, dropped]));
        if (bus.closed || signal.aborted) break;
        onDown(why);
        await sleep(clock, RETRY_MS, signal);
      }
      return why;
    } finally {
      bus.detach();
      await link.close();
    }
  }

  /** Why the robot did not come up; undefined when it did. */
  async #bringUp(bus: ServoBus, linkName: string): Promise<string | undefined> {
    const { clock, onUp } = this.#options;
    try {
      const found = await bringUp(bus, clock, linkName);
      if (!this.#stop.signal.aborted) onUp(found);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

function gone(link: ByteLink, reason: Error | undefined): string {
  const why = reason === undefined ? "" : ` (${reason.message})`;
  return `The link to the robot, ${link.name}, is gone${why}. Plug the robot in again: the daemon reconnects by itself.`;
}
