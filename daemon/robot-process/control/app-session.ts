import type { Clock } from "../../../common/time/clock.ts";
import { returnToDefault } from "../../../robot/motion/trajectory/built-in-moves.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { MoveOutcome } from "../../../robot/wire/robot/target.ts";
import type { ControlLoop } from "./loop/control-loop.ts";
import type { MoveCalls } from "./move-calls.ts";

/** Milliseconds until a return is tried again that failed although the robot has stayed connected: packets were lost. */
const RETRY_MS = 1000;

const RETURNS_LATER = "It returns to its default pose when it is connected again.";

interface AppSessionOptions {
  readonly clock: Clock;
  readonly loop: ControlLoop;
  readonly moves: MoveCalls;
  /** Whether the process before this one was lost with a return owed. */
  readonly isReturnOwed: boolean;
  /** Whether the daemon is shutting down. */
  readonly isClosing: () => boolean;
}

/**
 * The app that moves the robot, and the return to the default pose that the robot owes after it: until the robot has
 * returned, or something newer moves it. Nothing else in the daemon remembers such a return.
 */
export class AppSession {
  /** Settles with the last return; never rejects. */
  lastReturn: Promise<unknown> = Promise.resolve();
  readonly #options: AppSessionOptions;
  #group: { pid: number } | null = null;
  #isReturnOwed: boolean;
  /** How many returns were called for. */
  #returns = 0;
  #cancelRetry = (): void => {};

  constructor(options: AppSessionOptions) {
    this.#options = options;
    this.#isReturnOwed = options.isReturnOwed;
    if (options.isReturnOwed) this.#setNote(RETURNS_LATER);
  }

  /** The process group to end should the main process disappear; null when no app moves the robot. */
  get group(): { pid: number } | null {
    return this.#group;
  }

  get isReturnOwed(): boolean {
    return this.#isReturnOwed;
  }

  /** From here on the app moves the robot. */
  begin(group: { pid: number }): void {
    this.#group = group;
    this.settle();
  }

  end(): void {
    this.#group = null;
    this.#isReturnOwed = true;
    this.#setNote(null);
  }

  /** The robot has returned, or something newer moves it. */
  settle(): void {
    this.#isReturnOwed = false;
    this.#setNote(null);
  }

  /**
   * Returns to the default pose. A robot that is not connected returns when it is, and one that has not answered a second
   * later, unless something moves it first.
   * @throws WorkbenchError `robot-not-ready`
   */
  async returnRobot(): Promise<MoveOutcome> {
    const { loop, isClosing } = this.#options;
    this.cancelRetry();
    this.#returns += 1;
    const number = this.#returns;
    const isLast = () => number === this.#returns;
    const outcome = this.#return(isLast);
    this.lastReturn = outcome.catch(() => undefined);
    try {
      const how = await outcome;
      // What superseded a return has settled it, or is the next return.
      if (how !== "superseded" && isLast()) this.settle();
      return how;
    } catch (error) {
      if (loop.isStopping) throw error;
      if (loop.isConnected && isLast() && !isClosing()) this.#retryLater();
      throw this.#explain(error);
    }
  }

  /** Returns to the default pose if that is owed; a failure is an event. */
  returnIfOwed(): void {
    if (!this.#isReturnOwed) return;
    this.returnRobot().catch((error: Error) => {
      const message = `The robot has not returned to its default pose: ${error.message}`;
      this.#options.loop.status.emit("fault", "warning", message);
    });
  }

  /** Tries no return again. */
  cancelRetry(): void {
    this.#cancelRetry();
  }

  #retryLater(): void {
    this.cancelRetry();
    this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => this.returnIfOwed());
  }

  /** Cancels the move that an app left running, and moves to the default pose; a sleeping robot stays asleep. */
  #return(isLast: () => boolean): Promise<MoveOutcome> {
    const { loop, moves, isClosing } = this.#options;
    return moves.start("return_to_default", undefined, async (robot) => {
      // An app has begun since, and moves the robot; or another one has ended, and its return follows.
      const isLeftOut = () => this.#group !== null || !isLast();
      if (isLeftOut()) return undefined;
      if (!isClosing()) loop.moves.end("cancelled");
      if (!loop.awake && robot.motors.mode === "disabled") return undefined;
      await loop.torque.enableMotors(robot);
      return isLeftOut() ? undefined : returnToDefault;
    });
  }

  /** The error of a return that failed; when the robot was not connected, it says that the robot returns later. */
  #explain(error: unknown): unknown {
    if (!(error instanceof WorkbenchError) || error.code !== "robot-not-ready") return error;
    if (this.#isReturnOwed) this.#setNote(RETURNS_LATER);
    return new WorkbenchError("robot-not-ready", `${error.message} ${RETURNS_LATER}`);
  }

  /** Sets what the robot's errors say about a later return. */
  #setNote(note: string | null): void {
    this.#options.loop.status.setNote(note);
  }
}
