import { randomUUID } from "node:crypto";
import { goToSleep, returnToDefault, wakeUp } from "../../robot/motion/choreography.ts";
import { gotoMove } from "../../robot/motion/move.ts";
import type { ByteLink, Unsubscribe } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { MotorMode } from "../../robot/wire/robot.ts";
import type { PreciseClock } from "../clock.ts";
import type { Body } from "./body.ts";
import { type Before, Engine } from "./engine.ts";
import type { MoveKind, Plan } from "./mover.ts";
import { jointIndices } from "./posture.ts";
import type { GotoRequest, MoveOutcome, Robot, RobotEvent, RobotState, Simulation, Target } from "./robot.ts";

/** Seconds. */
const MAX_DURATION = 60;

export interface RobotOptions {
  /** Opens the link to the robot; called again after it was lost. */
  open: () => Promise<ByteLink>;
  clock: PreciseClock;
  /** What `close` does with a robot that is awake: lays it down to sleep, or leaves it as it is. Default `sleep`. */
  atClose?: "sleep" | "stay";
  /** The world around a simulated robot. */
  simulation?: Simulation;
  /** How the robot was when the process before this one was lost. Default: asleep. */
  before?: Before | undefined;
}

/** Starts a robot over a byte link in this process: connects, runs the 100 Hz loop, reconnects after a loss. */
export function createRobot(options: RobotOptions): RobotCore {
  const robot = new RobotCore(options);
  robot.start();
  return robot;
}

/** The robot over a byte link: calls become work for the engine's ticks. */
export class RobotCore implements Robot {
  /** The process group to end should the daemon disappear. */
  guarded: { pid: number } | null = null;
  readonly simulation: Simulation | undefined;
  readonly #engine: Engine;
  readonly #atClose: "sleep" | "stay";

  constructor({ open, clock, atClose = "sleep", simulation, before }: RobotOptions) {
    this.simulation = simulation;
    this.#engine = new Engine(open, clock, before);
    this.#atClose = atClose;
  }

  start(): void {
    this.#engine.start();
  }

  get state(): RobotState {
    return this.#engine.state;
  }

  onState(listener: (state: RobotState) => void): Unsubscribe {
    return this.#engine.states.add(listener);
  }

  onEvent(listener: (event: RobotEvent) => void): Unsubscribe {
    return this.#engine.events.add(listener);
  }

  setTarget(target: Target): void {
    const { mover, targets, throttle } = this.#engine;
    try {
      const { posture } = this.#engine.ready();
      const move = mover.current;
      if (move !== null) {
        throw new WorkbenchError(
          "target-refused",
          `Targets are refused while a move runs (${move.kind}, id ${move.id}). Wait for its end or cancel it.`,
        );
      }
      targets.aim(target, posture);
    } catch (error) {
      const { message } = error as Error;
      throttle.run("target_refused", (held) => this.#engine.tell("target_refused", "warning", message, { held }));
    }
  }

  goto(request: GotoRequest, id?: string): Promise<MoveOutcome> {
    return this.#move("goto", id, async () => {
      const { duration, method } = request;
      if (!(duration > 0 && duration <= MAX_DURATION)) {
        const allowed = `use more than 0 and at most ${MAX_DURATION} seconds`;
        throw new WorkbenchError("target-refused", `The duration of a goto is ${duration} s; ${allowed}.`);
      }
      const to = this.#engine.targets.resolve(request, this.#engine.ready().posture);
      return (from) => gotoMove(from, to, duration, method);
    });
  }

  wakeUp(id?: string): Promise<MoveOutcome> {
    return this.#move("wake_up", id, async (body) => {
      await this.#engine.hold(body);
      this.#engine.awake = true;
      return wakeUp;
    });
  }

  async goToSleep(id?: string): Promise<MoveOutcome> {
    const outcome = await this.#move("goto_sleep", id, async (body) => {
      if (body.motors.mode === "disabled") return undefined;
      await this.#engine.hold(body);
      return goToSleep;
    });
    if (outcome !== "finished") return outcome;
    await this.#engine.work.add(async (body) => {
      this.#engine.awake = false;
      await this.#engine.changeMode(body, () => body.motors.letGo());
    });
    return outcome;
  }

  returnToDefault(): Promise<MoveOutcome> {
    return this.#move("return_to_default", undefined, async (body) => {
      if (!this.#engine.awake && body.motors.mode === "disabled") return undefined;
      await this.#engine.hold(body);
      return returnToDefault;
    });
  }

  async cancelMove(id?: string): Promise<boolean> {
    const { work, mover, targets } = this.#engine;
    if (this.#engine.body === undefined) return false;
    return work.add(async (body) => {
      const cancelled = mover.end("cancelled", id);
      if (cancelled) targets.set(body.posture);
      return cancelled;
    });
  }

  setMotorMode(mode: MotorMode): Promise<void> {
    const engine = this.#engine;
    return engine.work.add(async (body) => {
      if (mode === "enabled") return engine.hold(body);
      await engine.changeMode(body, () => (mode === "disabled" ? body.motors.letGo() : body.float()));
    });
  }

  async setTorque(on: boolean, joints: readonly string[] | null): Promise<void> {
    const engine = this.#engine;
    const indices = jointIndices(joints);
    await engine.work.add(async (body) => {
      if (on && joints === null) return engine.hold(body);
      await engine.changeMode(body, () => (on ? body.hold(indices) : body.motors.letGo(indices)));
    });
  }

  setAutomaticBodyYaw(enabled: boolean): void {
    this.#engine.targets.automaticBodyYaw = enabled;
  }

  guardApp(group: { pid: number } | null): void {
    this.guarded = group;
  }

  async close(): Promise<void> {
    const { awake, state } = this.#engine;
    if (state.phase === "stopped") return;
    if (this.#atClose === "sleep" && awake && state.phase === "running") {
      await this.goToSleep().catch(() => undefined);
    }
    await this.#engine.stop();
  }

  /**
   * Starts a move inside a tick and settles as it ends.
   *
   * @param prepare makes the robot ready and says which way it goes; undefined when there is no way to go
   */
  async #move(
    kind: MoveKind,
    id: string | undefined,
    prepare: (body: Body) => Promise<Plan | undefined>,
  ): Promise<MoveOutcome> {
    const engine = this.#engine;
    const about = { id: id ?? randomUUID(), kind };
    const { ended } = await engine.work.add(async (body) => {
      const plan = await prepare(body);
      if (plan === undefined) {
        engine.mover.end("superseded");
        return { ended: "finished" as const };
      }
      const outcome = engine.mover.start(about.id, kind, plan);
      engine.tell("move_started", "info", `Move ${kind} has started.`, about);
      return {
        ended: outcome.then(
          (how) => this.#tellEnd(about, how),
          (error: Error) => this.#tellFailure(about, error),
        ),
      };
    });
    return ended;
  }

  #tellEnd(about: { id: string; kind: MoveKind }, outcome: MoveOutcome): MoveOutcome {
    this.#engine.tell("move_ended", "info", `Move ${about.kind} has ${ENDED[outcome]}.`, { ...about, outcome });
    return outcome;
  }

  #tellFailure(about: { id: string; kind: MoveKind }, error: Error): never {
    this.#engine.tell("move_ended", "error", `Move ${about.kind} has failed: ${error.message}`, { ...about });
    throw error;
  }
}

const ENDED: Record<MoveOutcome, string> = {
  finished: "arrived",
  superseded: "given way to another",
  cancelled: "been cancelled",
};
