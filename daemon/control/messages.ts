import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import type { ErrorCode } from "../../robot/wire/errors.ts";
import type { Robot, RobotEvent, RobotState } from "./robot.ts";

/** Methods of the robot that answer, and how long the daemon waits for the answer in milliseconds. */
export const CALLS = {
  goto: ({ duration }: { duration: number }) => 1000 * duration + 5000,
  wakeUp: () => 15_000,
  goToSleep: () => 15_000,
  returnToDefault: () => 15_000,
  cancelMove: () => 3000,
  setMotorMode: () => 5000,
  setTorque: () => 5000,
  close: () => 10_000,
} as const satisfies { [M in keyof Robot]?: (...args: never[]) => number };
export type CallName = keyof typeof CALLS;

/** Methods without an answer. */
export const TELLS = ["setTarget", "setAutomaticBodyYaw", "guardApp"] as const;
export type TellName = (typeof TELLS)[number];

export type Call = {
  [M in CallName]: { kind: "call"; number: number; method: M; args: Parameters<Robot[M]> };
}[CallName];
export type Tell = { [M in TellName]: { kind: "tell"; method: M; args: Parameters<Robot[M]> } }[TellName];
/** From the daemon to the robot's process. */
export type Request = Call | Tell;

/** From the robot's process to the daemon. */
export type Report =
  | { kind: "state"; state: RobotState }
  | { kind: "event"; event: RobotEvent }
  | { kind: "answer"; number: number; value: unknown }
  | { kind: "refusal"; number: number; code: ErrorCode; detail: string };

/** One end of the way between the two processes. Messages arrive in order; `onClose` fires once, when the other end is gone. */
export interface Channel<Incoming, Outgoing> {
  send(message: Outgoing): void;
  onMessage(listener: (message: Incoming) => void): Unsubscribe;
  onClose(listener: (reason: string) => void): Unsubscribe;
}
