import type { ErrorCode } from "../../robot/wire/errors.ts";
import type { Scene } from "../../robot/wire/objects-frame.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene.ts";

/** How fast simulated time goes: times real time, or as fast as the machine can. */
export type Speed = number | "max";

/** What can be asked of a simulated robot beside its bytes. */
export type Request =
  | { readonly kind: "push"; readonly hand: string; readonly push: Push | Pull | null; readonly seconds: number }
  | { readonly kind: "addObject"; readonly object: SceneObject }
  | { readonly kind: "removeObject"; readonly name: string }
  | { readonly kind: "reset" }
  | { readonly kind: "setSpeed"; readonly speed: Speed }
  /** Scenes for each simulated second; 0 for none. */
  | { readonly kind: "watch"; readonly hz: number };

/** To the robot. Every request is answered once, by its id. */
export type ToRobot =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "request"; readonly id: number; readonly request: Request };

/** From the robot. */
export type FromRobot =
  /** Once, when the robot is plugged in. */
  | { readonly kind: "ready" }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "done"; readonly id: number }
  | { readonly kind: "refused"; readonly id: number; readonly code: ErrorCode; readonly detail: string }
  | { readonly kind: "scene"; readonly scene: Scene }
  | { readonly kind: "event"; readonly event: SimEvent };

export type SimEvent =
  /** The platform was pushed inside out and put together again. */
  | { readonly kind: "reseated" }
  /** The machine was too slow; so many simulated seconds were left out since the last such event. */
  | { readonly kind: "lost-time"; readonly seconds: number };
