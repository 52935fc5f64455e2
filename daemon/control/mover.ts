import type { Choreography, Cue } from "../../robot/motion/choreography.ts";
import type { Move, Waypoint } from "../../robot/motion/move.ts";
import type { MoveOutcome, RobotState } from "./robot.ts";

export type MoveKind = NonNullable<RobotState["move"]>["kind"];

/** Seconds that the servos' goals may need to catch up with the end of a move, by their velocity limits. */
const LONGEST_SETTLING = 1;

/** The way from where the robot stands when the move begins. */
export type Plan = (from: Waypoint) => Move | Choreography;

interface Running {
  readonly id: string;
  readonly kind: MoveKind;
  readonly plan: Plan;
  move?: Move;
  cues: Choreography["cues"][number][];
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
  start(id: string, kind: MoveKind, plan: Plan): Promise<MoveOutcome> {
    this.end("superseded");
    this.#seconds = 0;
    return new Promise((settle, fail) => {
      this.#running = { id, kind, plan, cues: [], settle, fail };
    });
  }

  /**
   * Where to be `seconds` after the last time, and the cues that have come up; undefined when no move runs.
   *
   * @param last what was last sent; a new move goes on from there
   * @param settled whether that is what was returned last; a move ends when it is
   */
  advance(seconds: number, last: Waypoint, settled: boolean): { waypoint: Waypoint; cues: Cue[] } | undefined {
    const running = this.#running;
    if (running === undefined) return undefined;
    const move = running.move ?? begin(running, last);
    const over = this.#seconds - move.duration;
    this.#seconds += seconds;
    const due = running.cues.filter(({ at }) => at <= this.#seconds);
    running.cues.splice(0, due.length);
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

function begin(running: Running, from: Waypoint): Move {
  const move = running.plan(from);
  running.move = move;
  if ("cues" in move) running.cues = [...move.cues];
  return move;
}
