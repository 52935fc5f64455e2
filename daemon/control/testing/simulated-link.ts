import type { ByteLink } from "../../../robot/servo/byte-link.ts";
import { SimulatedRobot } from "../../../sim/robot.ts";
import type { ManualClock } from "../../hardware/manual-clock.ts";
import { Listeners } from "../listeners.ts";

/** What happens to bytes on their way; null loses them. */
export type Wire = (bytes: Uint8Array) => Uint8Array | null;

const INTACT: Wire = (bytes) => bytes;

/** What stands at the far end: bytes in, and time. */
export interface Machine {
  receive(bytes: Uint8Array): void;
  advanceTo(seconds: number): void;
}

/** A machine on a clock that the test turns, behind a cable that the test can pull and damage. */
export class SimulatedLink<M extends Machine = SimulatedRobot> {
  toServos: Wire = INTACT;
  fromServos: Wire = INTACT;
  plugged = true;
  readonly robot: M;
  readonly #clock: ManualClock;
  readonly #data = new Listeners<Uint8Array>();
  readonly #close = new Listeners<Error | undefined>();

  /** @param build makes the machine, given where its bytes go */
  constructor(clock: ManualClock, build: (transmit: (bytes: Uint8Array) => void) => M) {
    this.#clock = clock;
    this.robot = build((bytes) => this.#transmit(bytes));
  }

  /** With the simulated robot in full. */
  static async create(clock: ManualClock): Promise<SimulatedLink> {
    let transmit: (bytes: Uint8Array) => void = () => undefined;
    const robot = await SimulatedRobot.create({ seed: 1 }, (bytes) => transmit(bytes));
    return new SimulatedLink(clock, (send) => {
      transmit = send;
      return robot;
    });
  }

  open = async (): Promise<ByteLink> => {
    if (!this.plugged) throw new Error("No robot is plugged in.");
    return {
      name: "simulator",
      write: (bytes) => {
        const arriving = this.plugged ? this.toServos(bytes) : null;
        this.robot.advanceTo(this.#clock.now() / 1000);
        if (arriving !== null) this.robot.receive(arriving);
      },
      onData: (listener) => this.#data.add(listener),
      onClose: (listener) => this.#close.add(listener),
      close: async () => this.#close.tell(undefined),
    };
  };

  unplug(): void {
    this.plugged = false;
    this.#close.tell(new Error("the cable was pulled"));
  }

  /** Hands bytes to the daemon as if they came over the wire. */
  deliver(bytes: Uint8Array): void {
    queueMicrotask(() => this.#data.tell(bytes));
  }

  #transmit(bytes: Uint8Array): void {
    const arriving = this.plugged ? this.fromServos(bytes) : null;
    if (arriving !== null) this.deliver(arriving);
  }
}
