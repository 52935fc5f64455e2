import { Emitter } from "../../../../common/emitter.ts";
import type { ManualClock } from "../../../../common/time/manual-clock.ts";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";
import { SimulatedRobot } from "../../../../sim/robot.ts";
import { DEFAULT_SUPPLY } from "../../../../sim/servos/bus/bus.ts";
import { MOTORS } from "../../../../sim/servos/motor/motor-parameters.ts";
import type { TestBench } from "../../../../sim/servos/testing/test-bench.ts";
import { IdealJoints } from "../../../../sim/testing/ideal-joints.ts";

/** The firmware of nine servos on ideal joints: for tests whose subject is not physics. */
export type IdealRobot = SimulatedRobot<IdealJoints>;

/** Changes bytes on their way; null loses them. */
export type Wire = (bytes: Uint8Array) => Uint8Array | null;

/** Takes the bytes that a device sends. */
type Transmit = (bytes: Uint8Array) => void;

const INTACT: Wire = (bytes) => bytes;

/** The simulated device at the far end. */
export interface SimulatedDevice {
  receive(bytes: Uint8Array): void;
  advanceTo(seconds: number): void;
}

/** A link to the servos of a test bench, whose time goes on with each packet from where the bench is now. */
export function benchLink(clock: ManualClock, bench: TestBench): SimulatedLink<SimulatedDevice> {
  let lived = 0;
  return new SimulatedLink<SimulatedDevice>(clock, (transmit) => ({
    receive: (bytes) => {
      for (const reply of bench.bus.receive(bytes)) transmit(reply.bytes);
    },
    advanceTo: (seconds) => {
      bench.run(seconds - lived);
      lived = Math.max(lived, seconds);
    },
  }));
}

/** A simulated device on a manual clock, behind a cable that the test can unplug and damage. */
export class SimulatedLink<M extends SimulatedDevice> {
  toServos: Wire = INTACT;
  fromServos: Wire = INTACT;
  plugged = true;
  /** Packets that the daemon has sent so far. */
  written = 0;
  readonly robot: M;
  readonly #clock: ManualClock;
  readonly #data = new Emitter<Uint8Array>();
  readonly #close = new Emitter<Error | undefined>();

  /** @param build makes the device, given the function that takes its bytes */
  constructor(clock: ManualClock, build: (transmit: Transmit) => M) {
    this.#clock = clock;
    this.robot = build((bytes) => this.#transmit(bytes));
  }

  /** With a robot of ideal joints. @param supply V */
  static withIdealJoints(clock: ManualClock, supply = DEFAULT_SUPPLY): SimulatedLink<IdealRobot> {
    return new SimulatedLink(clock, (transmit) => new SimulatedRobot(new IdealJoints(), { seed: 1, supply }, transmit));
  }

  /** With a robot in the physics engine. @param supply V @param motors of the servo models */
  static async inPhysics(
    clock: ManualClock,
    supply = DEFAULT_SUPPLY,
    motors = MOTORS,
  ): Promise<SimulatedLink<SimulatedRobot>> {
    let transmit: Transmit = () => undefined;
    const robot = await SimulatedRobot.create({ seed: 1, supply, motors }, (bytes) => transmit(bytes));
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
        this.written += 1;
        const arriving = this.plugged ? this.toServos(bytes) : null;
        this.robot.advanceTo(this.#clock.now() / 1000);
        if (arriving !== null) this.robot.receive(arriving);
      },
      onData: (listener) => this.#data.on(listener),
      onClose: (listener) => this.#close.on(listener),
      close: async () => this.#close.emit(undefined),
    };
  };

  unplug(): void {
    this.plugged = false;
    this.#close.emit(new Error("the cable was pulled"));
  }

  /** Delivers bytes as if the servos had sent them. */
  deliver(bytes: Uint8Array): void {
    queueMicrotask(() => this.#data.emit(bytes));
  }

  #transmit(bytes: Uint8Array): void {
    const arriving = this.plugged ? this.fromServos(bytes) : null;
    if (arriving !== null) this.deliver(arriving);
  }
}
