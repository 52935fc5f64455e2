import type { Clock } from "../../../../common/time/clock.ts";
import type { Target } from "../../../../robot/wire/robot/target.ts";
import { mergeTargets } from "../../../robot-client/merge-targets.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import type { Scope } from "../../connections/scope.ts";

/** Minimum milliseconds between two targets that are sent. The control loop takes one target per 10 ms. */
const MIN_INTERVAL_MS = 2;

interface TargetQueueParts {
  robot: Pick<Robot, "setTarget">;
  clock: Clock;
  /** Of the connection. */
  scope: Scope;
  /** Gets the reason when the robot refuses a target. */
  onRefused(error: unknown): void;
}

/**
 * Sends a client's targets to the robot, one at a time. Targets that arrive meanwhile are merged into one that waits, so
 * that memory and delay stay the same however fast the client sends: the newest target wins.
 *
 * `MergedCall` merges as well, but for a different reason. It keeps calls of all clients and of REST from queueing up in
 * front of the robot process, and answers every call. This queue is for one client whose targets get no answer: a target
 * that is replaced costs no promise, a refusal is reported once for each target that was sent, and a client that never
 * pauses gets one call in 2 ms, so that it leaves room for the others.
 */
export class TargetQueue {
  readonly #parts: TargetQueueParts;
  #waiting: Target | null = null;
  #isBusy = false;

  constructor(parts: TargetQueueParts) {
    this.#parts = parts;
  }

  add(target: Target): void {
    this.#waiting = this.#waiting === null ? target : mergeTargets(this.#waiting, target);
    if (!this.#isBusy) this.#sendWaiting();
  }

  /** Sends the target that waits, so that a later call to the robot comes after it. */
  flush(): void {
    if (this.#waiting !== null) void this.#send(this.#waiting);
  }

  #sendWaiting(): void {
    if (this.#waiting === null) return;
    this.#isBusy = true;
    const { scope, clock } = this.#parts;
    const answered = this.#send(this.#waiting);
    scope.after(clock, MIN_INTERVAL_MS, () => void answered.then(() => this.#next()));
  }

  #next(): void {
    this.#isBusy = false;
    if (!this.#parts.scope.isClosed) this.#sendWaiting();
  }

  #send(target: Target): Promise<void> {
    this.#waiting = null;
    return this.#parts.robot.setTarget(target).catch(this.#parts.onRefused);
  }
}
