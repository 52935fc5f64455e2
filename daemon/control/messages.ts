import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import type { ErrorCode } from "../../robot/wire/errors.ts";
import type { Scene } from "../../robot/wire/objects-frame.ts";
import type { Robot, RobotEvent, RobotState, Simulation } from "./robot.ts";

/** Methods of the robot that answer. */
export type CallName =
  | "goto"
  | "wakeUp"
  | "goToSleep"
  | "returnToDefault"
  | "cancelMove"
  | "setMotorMode"
  | "setTorque"
  | "close";
/** Methods without an answer. */
export type TellName = "setTarget" | "setAutomaticBodyYaw" | "guardApp";
/** Methods of the simulated world; all answer. */
export type WorldCallName = Exclude<keyof Simulation, "onScene">;

type Invocation<Target, Name extends keyof Target> = {
  [M in Name]: { method: M; args: Target[M] extends (...args: infer Args) => unknown ? Args : never };
}[Name];

export type Call = Invocation<Robot, CallName>;
export type Tell = Invocation<Robot, TellName>;
export type WorldCall = Invocation<Simulation, WorldCallName>;

/** From the daemon to the robot's process. A call's number comes back with its answer. */
export type Request =
  | ({ kind: "call"; number: number } & Call)
  | ({ kind: "world"; number: number } & WorldCall)
  | ({ kind: "tell" } & Tell);

/** From the robot's process to the daemon. */
export type Report =
  | { kind: "state"; state: RobotState }
  | { kind: "event"; event: RobotEvent }
  | { kind: "scene"; scene: Scene }
  | { kind: "answer"; number: number; value: unknown }
  | { kind: "refusal"; number: number; code: ErrorCode; detail: string };

/** One end of the way between the two processes. Messages arrive in order. */
export interface Channel<Incoming, Outgoing> {
  send(message: Outgoing): void;
  onMessage(listener: (message: Incoming) => void): Unsubscribe;
  /** Called once, when the other end is gone, with a sentence that says how. */
  onClose(listener: (reason: string) => void): Unsubscribe;
}
