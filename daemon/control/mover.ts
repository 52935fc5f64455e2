import type { Choreography, Cue } from "../../robot/motion/choreography.ts";
import type { Move, Waypoint } from "../../robot/motion/move.ts";
import type { MoveOutcome, RobotState } from "./robot.ts";

export type MoveKind = NonNullable<RobotState["move"]>["kind"];

/** Seconds that the servos' goals may need to catch up with the end of a move, by their velocity limits. */
const LONGEST_SETTLING = 1;

interface Running {
  readonly id: string;
  readonly kind: MoveKind;
  readonly move: Move;
  readonly cues: Choreography["cues"][number][];
  readonly settle: (outcome: MoveOutcome) => void;
  readonly fail: (error: Error) => void;
}

/** Runs one move at a time. Owns no clock and no servos. */
export class Mover {
  #running: Running | undefined;
  #seconds = 0;

  get current(): { id: string; kind: MoveKind } | null {
    return this.#running === undefined ? null : { id: this.#running.id, kind: this.#running.kind };
  }

  /** Begins a move; the running one ends as superseded. The promise settles as the new one ends. */
  start(id: string, kind: MoveKind, move: Move | Choreography): Promise<MoveOutcome> {
    this.end("superseded");
    this.#seconds = 0;
    const cues = "cues" in move ? [...move.cues] : [];
    return new Promise((settle, fail) => {
      this.#running = { id, kind, move, cues, settle, fail };
    });
  }

  /**
   * Where to be `seconds` after the last time, and the cues that have come up; undefined when no move runs.
   *
   * @param settled whether the servos' goals have caught up with what was returned last; a move ends when they have
   */
  advance(seconds: number, settled: boolean): { waypoint: Waypoint; cues: Cue[] } | undefined {
    if (this.#running === undefined) return undefined;
    const { move, cues } = this.#running;
    const over = this.#seconds - move.duration;
    this.#seconds += seconds;
    const due = cues.filter(({ at }) => at <= this.#seconds);
    cues.splice(0, due.length);
    if (over >= LONGEST_SETTLING || (over >= 0 && settled)) this.end("finished");
    return { waypoint: move.sample(this.#seconds), cues: due.map(({ cue }) => cue) };
  }

  /** Ends the running move, or the one with this id. False when there was none. */
  end(outcome: MoveOutcome, id?: string): boolean {
    const running = this.#running;
    if (running === undefined || (id !== undefined && id !== running.id)) return false;
    this.#running = undefined;
    running.settle(outcome);
    return true;
  }

  /** Ends the running move because the robot cannot go on with it. */
  fail(error: Error): void {
    const running = this.#running;
    this.#running = undefined;
    running?.fail(error);
  }
}
