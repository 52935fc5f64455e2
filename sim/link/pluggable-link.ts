import { Emitter } from "../../common/emitter.ts";
import type { Clock } from "../../common/time/clock.ts";
import type { ByteLink } from "../../robot/servo/byte-link.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import type { Fault } from "../faults/fault.ts";
import { parseFault } from "../faults/parse-fault.ts";
import { sceneOf } from "../physics/scene.ts";
import type { SimulatedRobot } from "../robot.ts";
import type { LocalLink } from "./local-link.ts";

/** A cable to a simulated robot whose time a clock decides: faults of the robot, and of the cable itself. */
export class PluggableLink {
  readonly #local: LocalLink;
  readonly #clock: Clock;
  readonly #pulled = new Emitter<Error | undefined>();
  /** Faults that unplug the cable now. */
  #pulls = 0;
  #cancelPulls: (() => void)[] = [];

  /** @param clock starts with the robot */
  constructor(local: LocalLink, clock: Clock) {
    this.#local = local;
    this.#clock = clock;
  }

  get world(): LocalLink["link"] {
    return this.#local.link;
  }

  /** The robot as it is now. */
  get robot(): SimulatedRobot {
    const { robot } = this.#local;
    robot.advanceTo(this.#clock.now() / 1000);
    return robot;
  }

  /** Where everything is now. */
  scene = (): Scene => sceneOf(this.robot.physics, this.robot.time);

  /** Opens the link. @throws Error while the cable is unplugged */
  open = async (): Promise<ByteLink> => {
    if (this.#pulls > 0) throw new Error("No robot is plugged in.");
    const { link } = this.#local;
    return {
      name: link.name,
      write: (bytes) => {
        if (this.#pulls === 0) link.write(bytes);
      },
      onData: (listener) => link.onData(listener),
      onClose: (listener) => this.#pulled.on(listener),
      close: async () => undefined,
    };
  };

  /** Adds a fault as `robot-sim --fault` does; its times count from now. @throws WorkbenchError `usage` */
  addFault(text: string): void {
    const fault = parseFault(text);
    if (fault.kind === "unplug") this.#unplug(fault);
    else this.robot.addFault(fault);
  }

  /** Ends all faults, including future ones. */
  endFaults(): void {
    this.#local.robot.endFaults();
    for (const cancel of this.#cancelPulls) cancel();
    this.#cancelPulls = [];
    this.#pulls = 0;
  }

  #unplug({ from, until }: Fault): void {
    if (from === 0) this.#pull();
    else this.#cancelPulls.push(this.#clock.after(1000 * from, () => this.#pull()));
    if (until < Number.POSITIVE_INFINITY)
      this.#cancelPulls.push(
        this.#clock.after(1000 * until, () => {
          this.#pulls -= 1;
        }),
      );
  }

  #pull(): void {
    this.#pulls += 1;
    if (this.#pulls === 1) this.#pulled.emit(new Error("the cable was pulled"));
  }
}
