import { randomUUID } from "node:crypto";
import type { Unsubscribe } from "../../../common/emitter.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { goToSleep, returnToDefault, wakeUp } from "../../../robot/motion/trajectory/choreography.ts";
import { gotoMove } from "../../../robot/motion/trajectory/move.ts";
import { recordedMove } from "../../../robot/motion/trajectory/recorded-move.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { RecordedFrame } from "../../../robot/wire/robot/recording.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { MotorMode, XyzRpy } from "../../../robot/wire/robot/robot-fields.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { type GotoRequest, MAX_GOTO_SECONDS, type MoveOutcome, type Target } from "../../../robot/wire/robot/target.ts";
import type { Robot, Simulation } from "../../robot-client/robot.ts";
import { ControlLoop } from "./loop/control-loop.ts";
import type { MoveKind, Plan } from "./loop/move-runner.ts";
import type { ConnectedRobot } from "./robot/connected-robot.ts";
import { jointIndices } from "./robot/joint-groups.ts";
import type { RobotOptions } from "./robot-options.ts";

const PLATFORM_RECOVERED =
  "A push turned the simulated platform inside out. It was put together again; the head may have jumped.";
const RETURNS_LATER = "It returns to its default pose when it is connected again.";

/** Starts a robot over a byte link in this process: connects, runs the 100 Hz loop, reconnects after a loss. */
export function createRobot(options: RobotOptions): RobotController {
  const robot = new RobotController(options);
  robot.start();
  return robot;
}

/** The robot over a byte link. Calls become work for the ticks of the control loop. */
export class RobotController implements Robot {
  /** The process group to end should the daemon disappear. */
  appProcessGroup: { pid: number } | null = null;
  readonly simulation: Simulation | undefined;
  readonly #loop: ControlLoop;
  readonly #atClose: "sleep" | "stay";
  /** Whether a return to the default pose has failed because the robot was not connected. */
  #isReturnMissed: boolean;
  /** Whether `close` was called: what a client calls then must not end the move to the sleep pose. */
  #isClosing = false;
  /** The last return to the default pose. */
  #lastReturn: Promise<unknown> = Promise.resolve();

  constructor(options: RobotOptions) {
    const { open, clock, atClose = "sleep", simulation, hasInertialSensor, onPlatformRecovered, previous } = options;
    this.simulation = simulation;
    const readInertialSensor = hasInertialSensor && simulation ? () => simulation.readInertialSensor() : undefined;
    this.#loop = new ControlLoop({
      open,
      clock,
      readInertialSensor,
      previous,
      onConnected: () => this.#makeUpForReturn(),
    });
    onPlatformRecovered?.(() => this.#loop.status.emit("fault", "warning", PLATFORM_RECOVERED));
    this.#atClose = atClose;
    this.#isReturnMissed = previous?.returnToDefault ?? false;
    if (this.#isReturnMissed) this.#loop.status.setNote(RETURNS_LATER);
  }

  start(): void {
    this.#loop.start();
  }

  get state(): RobotState {
    return this.#loop.status.state;
  }

  onState(listener: (state: RobotState) => void): Unsubscribe {
    return this.#loop.status.states.on(listener);
  }

  onEvent(listener: (event: RobotEvent) => void): Unsubscribe {
    return this.#loop.status.events.on(listener);
  }

  async setTarget(target: Target): Promise<void> {
    const { moves, targets, refusedTargets } = this.#loop;
    try {
      this.#refuseWhileClosing();
      const { lastPosture } = this.#loop.movableRobot();
      if (moves.current !== null) throw moveIsRunning(moves.current);
      targets.accept(target, lastPosture);
    } catch (error) {
      if (error instanceof WorkbenchError) refusedTargets.report(error);
      throw error;
    }
  }

  async goto(request: GotoRequest, id?: string): Promise<MoveOutcome> {
    this.#refuseWhileClosing();
    return this.#move("goto", id, async () => {
      const { duration, method } = request;
      if (!(duration > 0 && duration <= MAX_GOTO_SECONDS)) {
        const allowed = `use more than 0 and at most ${MAX_GOTO_SECONDS} seconds`;
        throw new WorkbenchError("target-refused", `The duration of a goto is ${duration} s; ${allowed}.`);
      }
      const to = this.#loop.targets.resolve(request, this.#loop.movableRobot().lastPosture);
      return (from) => gotoMove(from, to, duration, method);
    });
  }

  async play(frames: readonly [RecordedFrame, ...RecordedFrame[]], id?: string): Promise<MoveOutcome> {
    this.#refuseWhileClosing();
    return this.#move("recorded", id, async () => {
      this.#loop.movableRobot();
      return (from) => recordedMove(from, frames);
    });
  }

  async wakeUp(id?: string): Promise<MoveOutcome> {
    this.#refuseWhileClosing();
    return this.#move("wake_up", id, async (robot) => {
      await this.#loop.enableMotors(robot);
      this.#loop.awake = true;
      return wakeUp;
    });
  }

  async goToSleep(id?: string): Promise<MoveOutcome> {
    this.#refuseWhileClosing();
    return this.#sleep(id);
  }

  async returnToDefault(): Promise<MoveOutcome> {
    const outcome = this.#move("return_to_default", undefined, async (robot) => {
      if (!this.#loop.awake && robot.motors.mode === "disabled") return undefined;
      await this.#loop.enableMotors(robot);
      return returnToDefault;
    });
    this.#lastReturn = outcome.catch(() => undefined);
    try {
      return await outcome;
    } catch (error) {
      if (!(error instanceof WorkbenchError) || error.code !== "robot-not-ready" || this.#loop.isStopping) throw error;
      this.#isReturnMissed = true;
      this.#loop.status.setNote(RETURNS_LATER);
      throw new WorkbenchError("robot-not-ready", `${error.message} ${RETURNS_LATER}`);
    }
  }

  async cancelMove(id?: string): Promise<boolean> {
    const { work, moves, targets } = this.#loop;
    if (this.#isClosing || !this.#loop.isConnected) return false;
    return work.add(async (robot) => {
      const cancelled = moves.end("cancelled", id);
      if (cancelled) targets.set(robot.lastPosture);
      return cancelled;
    });
  }

  async setMotorMode(mode: MotorMode): Promise<void> {
    this.#refuseWhileClosing();
    const loop = this.#loop;
    return loop.work.add(async (robot) => {
      if (mode === "enabled") return loop.enableMotors(robot);
      const change = mode === "disabled" ? () => robot.motors.disable() : () => robot.enableGravityCompensation();
      await loop.changeTorque(robot, change);
    });
  }

  async setTorque(on: boolean, joints: readonly string[] | null): Promise<void> {
    this.#refuseWhileClosing();
    const loop = this.#loop;
    const indices = jointIndices(joints);
    await loop.work.add(async (robot) => {
      if (on && joints === null) return loop.enableMotors(robot);
      await loop.changeTorque(robot, () => (on ? robot.enableTorque(indices) : robot.motors.disable(indices)));
    });
  }

  async setHeadOffset(offset: XyzRpy | null): Promise<void> {
    const { targets } = this.#loop;
    targets.headOffset = offset === null ? null : poseFromRpy([offset.x, offset.y, offset.z], offset);
  }

  async setAutomaticBodyYaw(enabled: boolean): Promise<void> {
    this.#loop.targets.automaticBodyYaw = enabled;
  }

  async setWatched(watched: boolean): Promise<void> {
    this.#loop.setWatched(watched);
  }

  async setAppProcessGroup(group: { pid: number } | null): Promise<void> {
    this.appProcessGroup = group;
    this.#loop.refusedTargets.end();
    this.#loop.targets.headOffset = null;
    // From here on the app moves the robot.
    if (group !== null) this.#forgetReturn();
  }

  async close(): Promise<void> {
    const { phase } = this.state;
    if (phase === "stopped") return;
    this.#isClosing = true;
    if (this.#atClose === "sleep" && phase === "running") {
      // A wake-up that was called before is under way, or wakes the robot first.
      await this.#loop.work.add(async () => {}).catch(() => undefined);
      const outcome = this.state.awake ? await this.#sleep().catch(() => undefined) : undefined;
      // Only a return to the default pose supersedes it: the main process has ended, and this one ends after the return.
      if (outcome === "superseded") await this.#lastReturn;
    }
    await this.#loop.stop();
  }

  /** @throws WorkbenchError `robot-not-ready` */
  #refuseWhileClosing(): void {
    if (this.#isClosing) throw new WorkbenchError("robot-not-ready", "The daemon is shutting down.");
  }

  async #sleep(id?: string): Promise<MoveOutcome> {
    let isAsleep = false;
    const outcome = await this.#move("goto_sleep", id, async (robot) => {
      if (robot.motors.mode === "disabled") {
        // A second work would come after a wake-up that is queued already, and undo it.
        this.#loop.awake = false;
        isAsleep = true;
        return undefined;
      }
      await this.#loop.enableMotors(robot);
      return goToSleep;
    });
    if (outcome !== "finished" || isAsleep) return outcome;
    await this.#loop.work.add(async (robot) => {
      this.#loop.awake = false;
      await this.#loop.changeTorque(robot, () => robot.motors.disable());
    });
    return outcome;
  }

  /** Returns to the default pose if the robot was not connected when it was to do so, and nothing has moved it since. */
  #makeUpForReturn(): void {
    if (!this.#isReturnMissed) return;
    this.#forgetReturn();
    this.returnToDefault().catch((error: Error) => {
      const message = `The robot has not returned to its default pose: ${error.message}`;
      this.#loop.status.emit("fault", "warning", message);
    });
  }

  #forgetReturn(): void {
    this.#isReturnMissed = false;
    this.#loop.status.setNote(null);
  }

  /**
   * Starts a move inside a tick and settles as it ends.
   *
   * @param prepare makes the robot ready and plans the move; undefined when there is nothing to do
   */
  async #move(
    kind: MoveKind,
    id: string | undefined,
    prepare: (robot: ConnectedRobot) => Promise<Plan | undefined>,
  ): Promise<MoveOutcome> {
    const { work, moves, status } = this.#loop;
    const move = { id: id ?? randomUUID(), kind };
    const { ended } = await work.add(async (robot) => {
      const plan = await prepare(robot);
      if (plan === undefined) {
        moves.end("superseded");
        return { ended: "finished" as const };
      }
      const outcome = moves.start(move.id, kind, plan);
      if (kind !== "return_to_default") this.#forgetReturn();
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

const ENDINGS: Record<MoveOutcome, string> = {
  finished: "has arrived",
  superseded: "was superseded by another",
  cancelled: "was cancelled",
};

function moveIsRunning({ id, kind }: { id: string; kind: MoveKind }): WorkbenchError {
  const next = "Wait for its end or cancel it.";
  return new WorkbenchError("target-refused", `Targets are refused while a move runs (${kind}, id ${id}). ${next}`);
}
