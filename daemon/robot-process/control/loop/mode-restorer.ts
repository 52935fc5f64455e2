import { problemOf } from "../../../../robot/wire/errors.ts";
import { retryWhileNotReady } from "../../../robot-client/retry-while-not-ready.ts";
import type { ConnectedRobot } from "../robot/connected-robot.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { TorqueChanges } from "./torque-changes.ts";
import type { WorkQueue } from "./work-queue.ts";

interface ModeRestorerOptions extends LoopParts {
  readonly work: WorkQueue<ConnectedRobot>;
  readonly torque: TorqueChanges;
}

/**
 * Restores the torque when the robot is connected again: what was lost comes back, and what could not be taken before the link
 * was lost is taken.
 */
export class ModeRestorer {
  readonly #options: ModeRestorerOptions;
  #connection = new AbortController();

  constructor(options: ModeRestorerOptions) {
    this.#options = options;
  }

  /** Call when the robot was lost. */
  onDisconnected(): void {
    this.#connection.abort();
  }

  /**
   * Call when the robot is connected. Tries for a minute, until the robot has the torque that is wanted or is lost again. After
   * that the robot stays as it is.
   */
  async onConnected(robot: ConnectedRobot): Promise<void> {
    const { clock, status, work, torque } = this.#options;
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    if (torque.wanted === null) return torque.leaveAsIs(robot);
    const notRestored = (why: string) => `The motor mode is not ${torque.wanted?.mode} again: ${why}`;
    await retryWhileNotReady(() => work.add((connected) => torque.restore(connected)), {
      clock,
      signal,
      onFirstFailure: ({ detail }) => status.emit("fault", "warning", `${notRestored(detail)} The daemon tries again.`),
    }).catch((error: unknown) => {
      status.emit("fault", "error", `${notRestored(problemOf(error).detail)} Set it again when the cause is mended.`);
      torque.leaveAsIs(robot);
    });
  }
}
