import { type Clock, sleep } from "../../../common/time/clock.ts";
import type { ByteLink } from "../../../robot/servo/byte-link.ts";
import { bringUp, type DiscoveredRobot } from "./bring-up.ts";
import { ServoBus } from "./bus/servo-bus.ts";

const RETRY_MS = 500;
/** Attempts on one open link before it is opened again, in case the adapter hangs. */
const FAILURES_PER_LINK = 5;

interface ConnectionOptions {
  /** Opens the link, with a deadline of its own. */
  open: () => Promise<ByteLink>;
  clock: Clock;
  /** All nine servos are ready to move. */
  onConnected: (found: DiscoveredRobot) => void;
  /** They are not, with the reason. Called again after every failed attempt. */
  onDisconnected: (why: string) => void;
}

/** Keeps the robot connected: opens the link, brings up the servos, and starts over when they are lost. */
export class RobotConnection {
  readonly #options: ConnectionOptions;
  readonly #stop = new AbortController();
  #drop: (why: string) => void = () => undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#done = this.#keepConnected();
  }

  /** Treats the robot as lost and connects again. */
  drop(why: string): void {
    this.#drop(why);
  }

  /** Closes the link. No callback is called afterwards. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#drop("closed");
    await this.#done;
  }

  async #keepConnected(): Promise<void> {
    const { clock, onDisconnected } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const why = await this.#useLink().catch((error: Error) => error.message);
      if (!signal.aborted) onDisconnected(why);
      await sleep(clock, RETRY_MS, signal);
    }
  }

  /** Opens a link and keeps the robot connected on it. Resolves with the reason why another link is needed. */
  async #useLink(): Promise<string> {
    const { open, clock, onDisconnected } = this.#options;
    const { signal } = this.#stop;
    const link = await open();
    const bus = new ServoBus(link, clock);
    const unplugged = new Promise<string>((resolve) => link.onClose((reason) => resolve(describeLoss(link, reason))));
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
        onDisconnected(why);
        await sleep(clock, RETRY_MS, signal);
      }
      return why;
    } finally {
      bus.detach();
      await link.close();
    }
  }

  /** Resolves with the reason why the robot could not be brought up; undefined when it was. */
  async #bringUp(bus: ServoBus, linkName: string): Promise<string | undefined> {
    const { clock, onConnected } = this.#options;
    try {
      const found = await bringUp(bus, clock, linkName);
      if (!this.#stop.signal.aborted) onConnected(found);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

function describeLoss(link: ByteLink, reason: Error | undefined): string {
  const why = reason === undefined ? "" : ` (${reason.message})`;
  return `The link to the robot, ${link.name}, is gone${why}. Plug the robot in again: the daemon reconnects by itself.`;
}
