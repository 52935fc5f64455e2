import type { Unsubscribe } from "../../../common/emitter.ts";
import { JOINT_NAMES } from "../../../robot/description/joints.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { goToSleep, wakeUp } from "../../../robot/motion/trajectory/built-in-moves.ts";
import { gotoMove } from "../../../robot/motion/trajectory/move.ts";
import { recordedMove } from "../../../robot/motion/trajectory/recorded-move.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { RecordedFrame } from "../../../robot/wire/robot/recording.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { MotorMode, XyzRpy } from "../../../robot/wire/robot/robot-fields.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { type GotoRequest, MAX_GOTO_SECONDS, type MoveOutcome, type Target } from "../../../robot/wire/robot/target.ts";
import type { Robot, Simulation } from "../../robot-client/robot.ts";
import type { TorqueState } from "../../robot-client/torque-state.ts";
import { ALL_JOINTS } from "../hardware/servos.ts";
import { AppSession } from "./app-session.ts";
import { ControlLoop } from "./loop/control-loop.ts";
import { MoveCalls } from "./move-calls.ts";
import type { RobotOptions } from "./robot-options.ts";

const PLATFORM_RECOVERED =
  "A push turned the simulated platform inside out. It was put together again; the head may have jumped.";

/**
 * The robot over a byte link, in this process: connects, runs the 100 Hz loop, reconnects after a loss. Calls become work for
 * the ticks of the control loop.
 */
export class RobotController implements Robot {
  /** Read it only: calls change it. */
  readonly appSession: AppSession;
  readonly simulation: Simulation | undefined;
  readonly #loop: ControlLoop;
  readonly #moves: MoveCalls;
  readonly #atClose: "sleep" | "stay";
  /** Whether `close` was called: what a client calls then must not end the move to the sleep pose. */
  #isClosing = false;

  constructor(options: RobotOptions) {
    const { clock, atClose = "sleep", simulation, hasInertialSensor, onPlatformRecovered, previous } = options;
    this.simulation = simulation;
    const readInertialSensor = hasInertialSensor && simulation ? () => simulation.readInertialSensor() : undefined;
    this.#loop = new ControlLoop({ ...options, readInertialSensor, onConnected: () => this.appSession.returnIfOwed() });
    onPlatformRecovered?.(() => this.#loop.status.emit("fault", "warning", PLATFORM_RECOVERED));
    this.#atClose = atClose;
    this.#moves = new MoveCalls(this.#loop, (kind) => {
      if (kind !== "return_to_default") this.appSession.settle();
    });
    this.appSession = new AppSession({
      clock,
      loop: this.#loop,
      moves: this.#moves,
      isReturnOwed: previous?.isReturnOwed ?? false,
      isClosing: () => this.#isClosing,
    });
    this.#loop.start();
  }

  get state(): RobotState {
    return this.#loop.status.state;
  }

  get wantedTorque(): TorqueState | null {
    return this.#loop.torque.wanted;
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
      if (moves.current !== null) {
        const { kind, id } = moves.current;
        const next = "Wait for its end or cancel it.";
        throw new WorkbenchError(
          "target-refused",
          `Targets are refused while a move runs (${kind}, id ${id}). ${next}`,
        );
      }
      targets.accept(target, lastPosture);
    } catch (error) {
      if (error instanceof WorkbenchError) refusedTargets.report(error);
      throw error;
    }
  }

  async goto(request: GotoRequest, id?: string): Promise<MoveOutcome> {
    this.#refuseWhileClosing();
    return this.#moves.start("goto", id, async () => {
      const { duration, method } = request;
      if (!(duration > 0 && duration <= MAX_GOTO_SECONDS)) {
        const allowed = `use more than 0 and at most ${MAX_GOTO_SECONDS} seconds`;
        throw new WorkbenchError("target-refused", `The duration of a goto is ${duration} s; ${allowed}.`);
      }
      const to = this.#loop.targets.resolveGoto(request, this.#loop.movableRobot().lastPosture);
      return (from) => gotoMove(from, to, duration, method);
    });
  }

  async play(frames: readonly [RecordedFrame, ...RecordedFrame[]], id?: string): Promise<MoveOutcome> {
    this.#refuseWhileClosing();
    return this.#moves.start("recorded", id, async () => {
      this.#loop.movableRobot();
      return (from) => recordedMove(from, frames);
    });
  }

  async wakeUp(id?: string): Promise<MoveOutcome> {
    this.#refuseWhileClosing();
    return this.#moves.start("wake_up", id, async (robot) => {
      await this.#loop.torque.enableMotors(robot);
      this.#loop.awake = true;
      return wakeUp;
    });
  }

  async goToSleep(id?: string): Promise<MoveOutcome> {
    this.#refuseWhileClosing();
    return this.#sleep(id);
  }

  async beginAppSession(group: { pid: number }): Promise<void> {
    this.appSession.begin(group);
    this.#resetAppSettings();
    // An app that begins need not wait for a return that is made up for. Where the robot is lost, its move has ended.
    const { current } = this.#loop.moves;
    if (current?.kind === "return_to_default") await this.cancelMove(current.id).catch(() => undefined);
  }

  async endAppSession(): Promise<MoveOutcome> {
    this.appSession.end();
    this.#resetAppSettings();
    return this.appSession.returnRobot();
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
    // Also where the robot is lost, and cannot be told.
    if (mode === "disabled") loop.torque.leaveOut(ALL_JOINTS);
    return loop.work.add(async (robot) => {
      if (mode === "enabled") return loop.torque.enableMotors(robot);
      if (mode === "disabled") return loop.torque.take(robot);
      await loop.torque.give(robot, () => robot.enableGravityCompensation());
    });
  }

  async setTorque(on: boolean, joints: readonly string[] | null): Promise<void> {
    this.#refuseWhileClosing();
    const loop = this.#loop;
    const indices = jointIndices(joints);
    if (!on) loop.torque.leaveOut(indices);
    await loop.work.add(async (robot) => {
      if (on && joints === null) return loop.torque.enableMotors(robot);
      if (!on) return loop.torque.take(robot, indices);
      await loop.torque.give(robot, () => robot.enableTorque(indices));
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

  async close(): Promise<void> {
    const { phase } = this.state;
    if (phase === "stopped") return;
    this.#isClosing = true;
    // One that is paused would not get to sleep.
    await this.simulation?.resume(1).catch(() => undefined);
    if (this.#atClose === "sleep" && phase === "running") {
      // A wake-up that was called before is under way, or wakes the robot first.
      await this.#loop.work.add(async () => {}).catch(() => undefined);
      const { awake, motorMode } = this.state;
      const outcome = awake || motorMode !== "disabled" ? await this.#sleep().catch(() => undefined) : undefined;
      // Only a return to the default pose supersedes it: the main process has ended, and this one ends after the return.
      if (outcome === "superseded") await this.appSession.lastReturn;
    }
    this.appSession.cancelRetry();
    await this.#loop.stop();
  }

  /** @throws WorkbenchError `robot-not-ready` */
  #refuseWhileClosing(): void {
    if (this.#isClosing) throw new WorkbenchError("robot-not-ready", "The daemon is shutting down.");
  }

  async #sleep(id?: string): Promise<MoveOutcome> {
    let isAsleep = false;
    const outcome = await this.#moves.start("goto_sleep", id, async (robot) => {
      if (robot.motors.mode === "disabled") {
        // A second work would come after a wake-up that is queued already, and undo it.
        this.#loop.awake = false;
        this.#loop.torque.leaveOff(robot);
        isAsleep = true;
        return undefined;
      }
      await this.#loop.torque.enableMotors(robot);
      return goToSleep;
    });
    if (outcome !== "finished" || isAsleep) return outcome;
    await this.#loop.work.add(async (robot) => {
      this.#loop.awake = false;
      await this.#loop.torque.take(robot);
    });
    return outcome;
  }

  #resetAppSettings(): void {
    this.#loop.refusedTargets.end();
    this.#loop.targets.headOffset = null;
    this.#loop.targets.automaticBodyYaw = true;
  }
}

/**
 * Indices into `JOINTS`; of all joints for null.
 *
 * @throws WorkbenchError `bad-request` for a name that no joint has
 */
function jointIndices(names: readonly string[] | null): readonly number[] {
  if (names === null) return ALL_JOINTS;
  return names.map((name) => {
    const index = (JOINT_NAMES as readonly string[]).indexOf(name);
    if (index >= 0) return index;
    throw new WorkbenchError("bad-request", `There is no joint "${name}". The joints are ${JOINT_NAMES.join(", ")}.`);
  });
}
