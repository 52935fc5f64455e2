import { ManualClock } from "../../../../common/time/manual-clock.ts";
import type { MotorsByModel } from "../../../../sim/servos/motor/motor-parameters.ts";
import { SimulatedLink } from "../../control/testing/simulated-link.ts";
import { bringUp } from "../../hardware/bring-up.ts";
import { ServoBus } from "../../hardware/bus/servo-bus.ts";
import type { Measurement } from "../measurement.ts";
import { recordMeasurement } from "../record-measurement.ts";

/** A measurement of a simulated robot in virtual time. */
export class SimulatedMeasurement {
  readonly clock: ManualClock;
  readonly abort = new AbortController();
  readonly progress: number[] = [];
  readonly link: SimulatedLink;

  private constructor(clock: ManualClock, link: SimulatedLink) {
    this.clock = clock;
    this.link = link;
  }

  /** @param supply V @param motors of the servos, which the measurement does not know */
  static async of(supply?: number, motors?: MotorsByModel): Promise<SimulatedMeasurement> {
    const clock = new ManualClock();
    return new SimulatedMeasurement(clock, await SimulatedLink.create(clock, supply, motors));
  }

  /** Runs it; `onSecond` is called at each virtual second. */
  async run(onSecond: (second: number) => void = () => undefined): Promise<Measurement> {
    const { clock, abort, progress } = this;
    const bus = new ServoBus(await this.link.open(), clock);
    let isDone = false;
    const measured = bringUp(bus, clock, "simulator").then((found) =>
      recordMeasurement(found, { clock, signal: abort.signal, onProgress: (share) => progress.push(share) }),
    );
    const done = () => {
      isDone = true;
    };
    measured.then(done, done);
    for (let second = 0; !isDone; second += 1) {
      onSecond(second);
      for (let step = 0; step < 100 && !isDone; step += 1) await clock.advanceAsync(10);
    }
    return measured;
  }
}
