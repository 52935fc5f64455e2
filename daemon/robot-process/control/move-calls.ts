import { randomUUID } from "node:crypto";
import type { MoveKind } from "../../../robot/wire/robot/robot-state.ts";
import type { MoveOutcome } from "../../../robot/wire/robot/target.ts";
import type { ControlLoop } from "./loop/control-loop.ts";
import type { Plan } from "./loop/move-runner.ts";
import type { ConnectedRobot } from "./robot/connected-robot.ts";

const ENDINGS: Record<MoveOutcome, string> = {
  finished: "has arrived",
  superseded: "was superseded by another",
  cancelled: "was cancelled",
};

/** Starts moves on the control loop, and reports how they start and end. */
export class MoveCalls {
  readonly #loop: ControlLoop;
  readonly #onStarted: (kind: MoveKind) => void;

  /** @param onStarted is called, inside a tick, when a move has started */
  constructor(loop: ControlLoop, onStarted: (kind: MoveKind) => void) {
    this.#loop = loop;
    this.#onStarted = onStarted;
  }

  /**
   * Starts a move inside a tick and settles as it ends.
   *
   * @param prepare makes the robot ready and plans the move; undefined when there is nothing to do
   */
  async start(
    kind: MoveKind,
    id: string | undefined,
    prepare: (robot: ConnectedRobot) => Promise<Plan | undefined>,
  ): Promise<MoveOutcome> {
    const { work, moves, status } = this.#loop;
    const move = { id: id ?? randomUUID(), kind };
    const { ended } = await work.add(async (robot) => {
      const plan = await prepare(robot);
      // The link may be gone since: nothing would end the move.
      work.requireOpen();
      if (plan === undefined) {
        moves.end("superseded");
        return { ended: "finished" as const };
      }
      const outcome = moves.start(move.id, kind, plan);
      this.#onStarted(kind);
      status.emit("move_started", "info", `Move ${kind} has started.`, move);
      return { ended: this.#reportEnd(move, outcome) };
    });
    return ended;
  }

  /** Reports how a move ends, and settles as it does. */
  async #reportEnd(move: { id: string; kind: MoveKind }, ended: Promise<MoveOutcome>): Promise<MoveOutcome> {
    const { status } = this.#loop;
    try {
      const outcome = await ended;
      status.emit("move_ended", "info", `Move ${move.kind} ${ENDINGS[outcome]}.`, { ...move, outcome });
      return outcome;
    } catch (error) {
      const message = `Move ${move.kind} has failed: ${(error as Error).message}`;
      status.emit("move_ended", "error", message, { ...move });
      throw error;
    }
  }
}
