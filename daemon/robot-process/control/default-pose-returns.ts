import type { Clock } from "../../../common/time/clock.ts";
import { returnToDefault } from "../../../robot/motion/trajectory/built-in-moves.ts";
import type { MoveOutcome } from "../../../robot/wire/robot/target.ts";
import type { AppSession } from "./app-session.ts";
import type { ControlLoop } from "./loop/control-loop.ts";
import type { MoveCalls } from "./move-calls.ts";

/** Milliseconds until a return is tried again that failed although the robot has stayed connected: packets were lost. */
const RETRY_MS = 1000;

interface DefaultPoseReturnsOptions {
  readonly clock: Clock;
  readonly loop: ControlLoop;
  readonly moves: MoveCalls;
  readonly appSession: AppSession;
  /** Whether the daemon is shutting down. */
  readonly isClosing: () => boolean;
}

/** The returns to the default pose that the robot owes after apps. */
export class DefaultPoseReturns {
  readonly #options: DefaultPoseReturnsOptions;
  #last: Promise<unknown> = Promise.resolve();
  /** How many returns were called for. */
  #count = 0;
  #cancelRetry = (): void => {};

  constructor(options: DefaultPoseReturnsOptions) {
    this.#options = options;
  }

  /** Settles with the last return; never rejects. */
  get last(): Promise<unknown> {
    return this.#last;
  }

  /**
   * Returns to the default pose. A robot that is not connected returns when it is, and one that has not answered a second
   * later, unless something moves it first.
   * @throws WorkbenchError `robot-not-ready`
   */
  async start(): Promise<MoveOutcome> {
    const { loop, appSession, isClosing } = this.#options;
    this.#cancelRetry();
    this.#count += 1;
    const number = this.#count;
    const isLast = () => number === this.#count;
    const outcome = this.#return(isLast);
    this.#last = outcome.catch(() => undefined);
    try {
      const how = await outcome;
      // What superseded a return has settled it, or is the next return.
      if (how !== "superseded" && isLast()) appSession.settle();
      return how;
    } catch (error) {
      if (loop.isStopping) throw error;
      if (loop.isConnected && isLast() && !isClosing()) this.#retryLater();
      throw appSession.explain(error);
    }
  }

  /** Returns to the default pose if that is owed; a failure is an event. */
  startIfOwed(): void {
    const { loop, appSession } = this.#options;
    if (!appSession.isReturnOwed) return;
    this.start().catch((error: Error) => {
      const message = `The robot has not returned to its default pose: ${error.message}`;
      loop.status.emit("fault", "warning", message);
    });
  }

  /** Tries no return again. */
  close(): void {
    this.#cancelRetry();
  }

  #retryLater(): void {
    this.#cancelRetry();
    this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => this.startIfOwed());
  }

  /** Cancels the move that an app left running, and moves to the default pose; a sleeping robot stays asleep. */
  #return(isLast: () => boolean): Promise<MoveOutcome> {
    const { loop, moves, appSession, isClosing } = this.#options;
    return moves.start("return_to_default", undefined, async (robot) => {
      // An app has begun since, and moves the robot; or another one has ended, and its return follows.
      const isLeftOut = () => appSession.group !== null || !isLast();
      if (isLeftOut()) return undefined;
      if (!isClosing()) loop.moves.end("cancelled");
      if (!loop.awake && robot.motors.mode === "disabled") return undefined;
      await loop.torque.enableMotors(robot);
      return isLeftOut() ? undefined : returnToDefault;
    });
  }
}
