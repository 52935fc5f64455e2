import type { Cue, MoveWithCues } from "../../../../robot/motion/trajectory/built-in-moves.ts";
import type { Move, Waypoint } from "../../../../robot/motion/trajectory/move.ts";
import type { MoveKind } from "../../../../robot/wire/robot/robot-state.ts";
import type { MoveOutcome } from "../../../../robot/wire/robot/target.ts";

/** Seconds that the servos' goals may need to catch up with the end of a move, by their velocity limits. */
const MAX_SETTLING = 1;

/** Makes the move from the posture that the robot has when it begins. */
export type Plan = (from: Waypoint) => Move | MoveWithCues;

interface Running {
  readonly id: string;
  readonly kind: MoveKind;
  readonly plan: Plan;
  move?: Move;
  cues: MoveWithCues["cues"][number][];
  readonly settle: (outcome: MoveOutcome) => void;
  readonly fail: (error: Error) => void;
}

/** Runs one move at a time. Has no clock and no servos: it is advanced, and returns waypoints. */
export class MoveRunner {
  #running: Running | undefined;
  #seconds = 0;

  get current(): { id: string; kind: MoveKind } | null {
    return this.#running === undefined ? null : { id: this.#running.id, kind: this.#running.kind };
  }

  /** Begins a move; the running one ends as superseded. The promise settles as the new one ends. */
  start(id: string, kind: MoveKind, plan: Plan): Promise<MoveOutcome> {
    this.end("superseded");
    this.#seconds = 0;
    return new Promise((settle, fail) => {
      this.#running = { id, kind, plan, cues: [], settle, fail };
    });
  }

  /**
   * The waypoint `seconds` after the last one, and the cues that are due; undefined when no move runs.
   *
   * @param last the posture that was sent last; a new move starts from it
   * @param settled whether the goals have reached the last waypoint; a move does not end before that
   */
  advance(seconds: number, last: Waypoint, settled: boolean): { waypoint: Waypoint; cues: Cue[] } | undefined {
    const running = this.#running;
    if (running === undefined) return undefined;
    const move = running.move ?? begin(running, last);
    const over = this.#seconds - move.duration;
    this.#seconds += seconds;
    const due = running.cues.filter(({ at }) => at <= this.#seconds);
    running.cues.splice(0, due.length);
    if (over >= MAX_SETTLING || (over >= 0 && settled)) this.end("finished");
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

  /** Ends the running move with an error. */
  fail(error: Error): void {
    const running = this.#running;
    this.#running = undefined;
    running?.fail(error);
  }
}

function begin(running: Running, from: Waypoint): Move {
  const move = running.plan(from);
  running.move = move;
  if ("cues" in move) running.cues = [...move.cues];
  return move;
}
