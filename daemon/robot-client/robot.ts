import type { Unsubscribe } from "../../common/emitter.ts";
import type { InertialReading } from "../../robot/wire/robot/inertial-reading.ts";
import type { RecordedFrame } from "../../robot/wire/robot/recording.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import type { MotorMode, XyzRpy } from "../../robot/wire/robot/robot-fields.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import type { GotoRequest, MoveOutcome, Target } from "../../robot/wire/robot/target.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene/hand-act.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import type { SimulatedTime } from "../../robot/wire/scene/simulated-time.ts";

/**
 * The robot, as the rest of the daemon sees it. The work is done in the robot process; promises settle when it is done
 * there and reject with a WorkbenchError (`robot-not-ready`, `motors-off`, `target-refused`, `robot-fault`,
 * `deadline-passed`).
 *
 * One move at a time: a new move supersedes the running one from wherever the robot is, without a jump. Targets that
 * arrive while a move runs are refused.
 *
 * This is the only list of the robot's methods. A new one needs its implementation in `RobotController`, and a line in
 * `call-table.ts` if its deadline is not the default; the main process's end of it is derived.
 */
export interface Robot {
  readonly state: RobotState;
  onState(listener: (state: RobotState) => void): Unsubscribe;
  onEvent(listener: (event: RobotEvent) => void): Unsubscribe;
  /**
   * The posture to follow from the next period on. Resolves when the control loop has it. Only the newest counts: of
   * targets that come faster than the robot process takes them, the ones between are dropped.
   *
   * @param answer `with-state`: the call resolves with the next state, at most 20 ms later, which saves streams of targets a
   *   message each; one that is refused rejects at once. Default `at-once`
   */
  setTarget(target: Target, answer?: "at-once" | "with-state"): Promise<void>;
  /** `id` becomes `state.move.id`; a fresh one is made when absent. */
  goto(request: GotoRequest, id?: string): Promise<MoveOutcome>;
  /** Plays recorded frames, after a move to the first of them. */
  play(frames: readonly [RecordedFrame, ...RecordedFrame[]], id?: string): Promise<MoveOutcome>;
  wakeUp(id?: string): Promise<MoveOutcome>;
  goToSleep(id?: string): Promise<MoveOutcome>;
  /**
   * An app moves the robot from now on: a return to the default pose that was owed before is not made up for. The robot
   * process ends the app's process group should the daemon itself be killed; so does one that replaces it.
   */
  beginAppSession(group: { pid: number }): Promise<void>;
  /**
   * The app has ended: cancels its move and returns the robot to its default pose, smoothly, with the motors on. A sleeping
   * robot stays asleep. Resolves when the robot is there. A robot that cannot return now owes the return: it returns when
   * it is connected again, also after the robot process was replaced, unless a move or an app came first.
   */
  endAppSession(): Promise<MoveOutcome>;
  /** Ends the running move (any, or the one with this id) where the robot is. False when there was none. */
  cancelMove(id?: string): Promise<boolean>;
  setMotorMode(mode: MotorMode): Promise<void>;
  /** Torque of single joints by name; all of them when `joints` is null. */
  setTorque(on: boolean, joints: readonly string[] | null): Promise<void>;
  /** Small motions on top of all targets of the head, in the world frame; null for none. Ends with the app. */
  setHeadOffset(offset: XyzRpy | null): Promise<void>;
  /** Whether the body follows the head. Kept for a robot process that replaces this one. */
  setAutomaticBodyYaw(enabled: boolean): Promise<void>;
  /**
   * Whether anybody watches the state. Without watchers, states of a robot at rest come 10 times a second instead of 50.
   * Kept for a robot process that replaces this one. Default: true.
   */
  setWatched(watched: boolean): Promise<void>;
  /** What only a simulated robot can do; absent for a physical one. */
  readonly simulation?: Simulation | undefined;
  /**
   * Puts the robot to sleep (or leaves it as it is, as configured), closes the link and ends the robot process. Targets,
   * moves and changes of the motors are refused from now on (`robot-not-ready`), except `endAppSession`, and
   * `cancelMove` cancels nothing.
   */
  close(): Promise<void>;
}

/** In simulated seconds. */
export type RewindTarget = { readonly to: number } | { readonly seconds: number };

/**
 * The world around a simulated robot. Promises reject with `bad-request` for bodies that do not exist and numbers out of
 * range.
 */
export interface Simulation {
  /**
   * Pushes or pulls (or, with null, releases) with a named hand: newtons, or metres, in the world frame. To drag, repeat
   * the call; a hand releases by itself `seconds` simulated seconds (above 0, at most 10) after its last call.
   */
  push(hand: string, push: Push | Pull | null, seconds?: number): Promise<void>;
  addObject(object: SceneObject): Promise<void>;
  removeObject(name: string): Promise<void>;
  /** Unplugs the robot, puts it back to sleep where it started, removes the objects and plugs it in again. */
  reset(): Promise<void>;
  /** The robot's time; so do the methods below that change how it passes. The daemon and its apps go on in real time. */
  time(): Promise<SimulatedTime>;
  /** Keeps the last 30 s from now on, so that the robot can be rewound, or forgets them. */
  keepHistory(kept: boolean): Promise<SimulatedTime>;
  /** Lets the robot's time stand still. Its servos answer, and get no goals. */
  pause(): Promise<SimulatedTime>;
  /** Goes on. @param speed factor to real time, 0.1 to 1; default: the one before */
  resume(speed?: number): Promise<SimulatedTime>;
  /** Pauses, and lets so many seconds pass, 0.0025 to 1. */
  step(seconds: number): Promise<SimulatedTime>;
  /** Pauses, and takes the robot to the last moment that is kept up to a simulated time, or up to so many seconds ago. */
  rewind(target: RewindTarget): Promise<SimulatedTime>;
  /** Asks for this many scenes a simulated second, 0 to 120. Kept for a world that replaces this one. */
  watch(hz: number): Promise<void>;
  onScene(listener: (scene: Scene) => void): Unsubscribe;
  /** What the inertial sensor measures now; null for a robot without one. */
  readInertialSensor(): Promise<InertialReading | null>;
}
