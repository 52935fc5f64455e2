import type { ErrorCode } from "../../robot/wire/errors.ts";
import type { InertialReading } from "../../robot/wire/robot/inertial-reading.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene/hand-act.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";

/** Speed of simulated time: a factor to real time, or as fast as the machine can. */
export type Speed = number | "max";

/** Requests to a simulated robot, in addition to its bytes. */
export type SimRequest =
  | { readonly kind: "push"; readonly hand: string; readonly push: Push | Pull | null; readonly seconds: number }
  | { readonly kind: "addObject"; readonly object: SceneObject }
  | { readonly kind: "removeObject"; readonly name: string }
  | { readonly kind: "reset" }
  | { readonly kind: "readInertialSensor" }
  /** Scenes per simulated second; 0 for none. */
  | { readonly kind: "watch"; readonly hz: number };

/** To the robot. Each request gets one reply with the same id. */
export type MessageToRobot =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "request"; readonly id: number; readonly request: SimRequest };

/** From the robot. */
export type MessageFromRobot =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "done"; readonly id: number; readonly inertial?: InertialReading | null }
  | { readonly kind: "refused"; readonly id: number; readonly code: ErrorCode; readonly detail: string }
  | { readonly kind: "scene"; readonly scene: Scene }
  | { readonly kind: "event"; readonly event: SimEvent }
  /** The robot has stopped for ever, for example because the physics engine failed. */
  | { readonly kind: "failed"; readonly error: unknown };

export type SimEvent =
  /** A push broke the platform; it was recovered. */
  | { readonly kind: "platform-recovered" }
  /** The machine was too slow: simulated seconds that were skipped since the last such event. */
  | { readonly kind: "lost-time"; readonly seconds: number };
