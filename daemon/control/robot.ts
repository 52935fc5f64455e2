import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import type { Scene } from "../../robot/wire/objects-frame.ts";
import type { Interpolation, MotorMode, RobotPhase } from "../../robot/wire/robot.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene.ts";

/** Where the robot shall be. What is null or absent stays as it was last commanded. */
export interface Target {
  /** Head pose in the world frame: 4x4, row-major, metres; the identity is neutral. */
  head?: readonly number[] | null;
  /** Right, left; radians. */
  antennas?: readonly [number, number] | null;
  /** Radians; null leaves it to the automatic body yaw. */
  bodyYaw?: number | null;
}

/** A timed move to a target. `duration` is in seconds, above 0 and at most 60. */
export interface GotoRequest extends Target {
  duration: number;
  method: Interpolation;
}

/** How a move ended: it got there, a newer move took over, or somebody cancelled it. */
export type MoveOutcome = "finished" | "superseded" | "cancelled";

/** What the robot says of itself, 50 times a second. Angles in radians, measured by the servos, not the targets. */
export interface RobotState {
  /** Seconds since the Unix epoch. */
  timestamp: number;
  phase: RobotPhase;
  motorMode: MotorMode;
  /** False from the end of a goto_sleep (or from the start, when the daemon does not wake it) until a wake_up. */
  awake: boolean;
  /** body_yaw, stewart_1 .. stewart_6. */
  headJoints: readonly number[];
  /** Right, left. */
  antennas: readonly [number, number];
  /** 4x4, row-major, from forward kinematics of the measured joints, world frame. */
  headPose: readonly number[];
  /** The targets really sent to the servos after all limits, in the same units; null while the motors are off. */
  sent: { headJoints: readonly number[]; antennas: readonly [number, number] } | null;
  /** The running move. */
  move: { id: string; kind: "goto" | "wake_up" | "goto_sleep" | "return_to_default" } | null;
  loop: { frequencyHz: number; periodP50Ms: number; periodP99Ms: number; missed: number; busErrors: number };
  /** A sentence for people, or null. */
  error: string | null;
}

/** Things that happen, told at once. `level` drives how the dashboard shows them. */
export interface RobotEvent {
  kind:
    | "phase"
    | "move_started"
    | "move_ended"
    | "target_clipped"
    | "target_refused"
    | "fault"
    | "antenna_touched"
    /** A moment of a move that something else may go with: `data.cue` is `wake_up_sound`, `sleep_sound` or `motors_off`. */
    | "cue"
    | "motor_mode";
  level: "info" | "warning" | "error";
  /** A sentence: what, the value, the allowed range, the next step. */
  message: string;
  data: Record<string, unknown>;
}

/**
 * The robot as the rest of the daemon sees it. Calls reach the robot's own process; promises settle when the robot
 * has done it and reject with a WorkbenchError (`robot-not-ready`, `motors-off`, `target-refused`, `robot-fault`).
 *
 * One mover at a time: a new move supersedes the running one from wherever the robot is, without a jump. Targets that
 * arrive while a move runs are refused (event `target_refused`, at most one a second).
 */
export interface Robot {
  readonly state: RobotState;
  onState(listener: (state: RobotState) => void): Unsubscribe;
  onEvent(listener: (event: RobotEvent) => void): Unsubscribe;
  setTarget(target: Target): void;
  /** `id` becomes `state.move.id`; a fresh one is made when absent. */
  goto(request: GotoRequest, id?: string): Promise<MoveOutcome>;
  wakeUp(id?: string): Promise<MoveOutcome>;
  goToSleep(id?: string): Promise<MoveOutcome>;
  /** To the default pose, smoothly, with the motors enabled if they were; does nothing on a sleeping robot. */
  returnToDefault(): Promise<MoveOutcome>;
  /** Ends the running move (all, or the one with this id) where the robot is. False when there was none. */
  cancelMove(id?: string): Promise<boolean>;
  setMotorMode(mode: MotorMode): Promise<void>;
  /** Torque of single joints by name; all of them when `joints` is null. */
  setTorque(on: boolean, joints: readonly string[] | null): Promise<void>;
  setAutomaticBodyYaw(enabled: boolean): void;
  /**
   * Names the process group of the running app (null when there is none), so that the robot's process can end it
   * should the daemon itself be killed.
   */
  guardApp(group: { pid: number } | null): void;
  /** What only a simulated robot can do; absent for one of metal. */
  readonly simulation?: Simulation | undefined;
  /** Sends the robot to rest as configured, lets go of the link and ends the robot's process. */
  close(): Promise<void>;
}

/**
 * The world around a simulated robot. Promises reject with `bad-request` for bodies that do not exist and numbers out of
 * range.
 */
export interface Simulation {
  /**
   * Pushes or pulls (or, with null, lets go) with a named hand: newtons, or metres, in the world frame. Dragging is
   * doing so again and again; a hand that is not heard of again lets go after so many simulated seconds (above 0, at most 10).
   */
  push(hand: string, push: Push | Pull | null, seconds?: number): Promise<void>;
  addObject(object: SceneObject): Promise<void>;
  removeObject(name: string): Promise<void>;
  /** Unplugs the robot, puts it back to sleep where it started, takes the objects away and plugs it in again. */
  reset(): Promise<void>;
  /** Times real time, above 0 and at most 100, or as fast as it can. */
  setSpeed(speed: number | "max"): Promise<void>;
  /** Asks for this many scenes a simulated second, 0 to 120. */
  watch(hz: number): Promise<void>;
  onScene(listener: (scene: Scene) => void): Unsubscribe;
}
