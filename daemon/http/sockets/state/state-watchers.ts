import type { Robot } from "../../../robot-client/robot.ts";

/** Tells the robot whether anybody watches its state: the clients of the sockets that send it. */
export class StateWatchers {
  readonly #robot: Pick<Robot, "setWatched">;
  #count = 0;

  constructor(robot: Pick<Robot, "setWatched">) {
    this.#robot = robot;
    this.#report(false);
  }

  /** Counts a watcher until the returned function is called; further calls of it do nothing. */
  add(): () => void {
    this.#count += 1;
    if (this.#count === 1) this.#report(true);
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      this.#count -= 1;
      if (this.#count === 0) this.#report(false);
    };
  }

  /** A robot process that does not answer gets the last value again when it is replaced. */
  #report(isWatched: boolean): void {
    this.#robot.setWatched(isWatched).catch(() => undefined);
  }
}
