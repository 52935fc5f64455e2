import type { InertialReading } from "../../../../robot/wire/robot/inertial-reading.ts";

/** Keeps the newest reading of the robot's inertial sensor, without making the control loop wait for it. */
export class InertialPoller {
  /** Null until the first reading has arrived, after a reading has failed, and for a robot without the sensor. */
  reading: InertialReading | null = null;
  readonly #read: (() => Promise<InertialReading | null>) | undefined;
  #isReading = false;

  constructor(read: (() => Promise<InertialReading | null>) | undefined) {
    this.#read = read;
  }

  /** Asks for the next reading, unless one is on its way. */
  poll(): void {
    if (this.#read === undefined || this.#isReading) return;
    this.#isReading = true;
    void this.#read()
      .catch(() => null)
      .then((reading) => {
        this.reading = reading;
        this.#isReading = false;
      });
  }
}
