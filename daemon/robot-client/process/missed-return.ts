import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";

const RETURNS_LATER = "The robot returns to its default pose when it is back.";

/**
 * Remembers a return to the default pose that was lost with the robot process, so that the next process runs it.
 * A move that starts, or an app, ends that: from then on the robot is where that wants it.
 */
export class MissedReturn {
  #isMissed = false;
  #isReturning = false;

  get isMissed(): boolean {
    return this.#isMissed;
  }

  /** To be called for each state of the process. */
  observeState({ move }: RobotState): void {
    this.#isReturning = move?.kind === "return_to_default";
  }

  /** To be called for each event of the process. */
  observeEvent({ kind }: RobotEvent): void {
    if (kind === "move_started") this.#isMissed = false;
  }

  /** The process is lost; a return that was running is missed. */
  onProcessLost(): void {
    this.#isMissed ||= this.#isReturning;
    this.#isReturning = false;
  }

  /** A call to return has failed because the robot is not connected. */
  onCallFailed(): void {
    this.#isMissed = true;
  }

  /** Something else moves the robot from now on. */
  forget(): void {
    this.#isMissed = false;
  }

  /** Says in an error that the robot will return, if it will. */
  annotate(error: string): string {
    const plain = error.replace(` ${RETURNS_LATER}`, "");
    return this.#isMissed ? `${plain} ${RETURNS_LATER}` : plain;
  }
}
