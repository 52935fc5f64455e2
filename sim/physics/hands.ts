import type { RigidBody, Vector } from "@dimforge/rapier3d-compat";
import type { Vec3 } from "../../robot/description/frames.ts";
import { conjugate, rotate } from "../../robot/kinematics/quaternion.ts";
import { norm, scale, subtract } from "../../robot/kinematics/vector.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Pull, Push } from "../../robot/wire/scene.ts";
import { worldPoint } from "./gaps.ts";
import { leash } from "./leash.ts";
import { fromRotation, fromVector, toVector, zeroVector } from "./linear.ts";
import type { Loads } from "./loads.ts";

/** More breaks the robot, and breaks the simulation of it; the force is cut to this. */
const STRONGEST_PUSH = 20;
const LONGEST_PUSH = 10;

interface Grip {
  body: string;
  local: Vector;
  /** N for a push, the place to come to for a pull. */
  aim: Vector;
  kind: "push" | "pull";
  steps: number;
}

/**
 * Hands that push or pull, each at a point of a body that it stays on while the body moves. A hand lets go by itself
 * when its time is over; whoever drags renews it.
 */
export class Hands {
  readonly #grips = new Map<string, Grip>();
  readonly #point = zeroVector();

  /** @throws WorkbenchError `bad-request` when a number is not finite or the time is out of range */
  push(hand: string, body: RigidBody, act: Push | Pull, seconds: number, timestep: number): void {
    const point = act.point ?? fromVector(body.worldCom());
    const aim = "force" in act ? act.force : act.towards;
    if (![...aim, ...point].every(Number.isFinite) || !(seconds > 0 && seconds <= LONGEST_PUSH)) {
      throw new WorkbenchError(
        "bad-request",
        `A push needs finite force and point and lasts above 0 and at most ${LONGEST_PUSH} s, not ${seconds} s.`,
      );
    }
    const kind = "force" in act ? "push" : "pull";
    const held = this.#grips.get(hand);
    const keeps = kind === "pull" && held?.kind === "pull" && held.body === act.body;
    const strength = norm(aim);
    this.#grips.set(hand, {
      body: act.body,
      local: keeps ? held.local : localOf(body, point),
      aim: toVector(kind === "push" && strength > STRONGEST_PUSH ? scale(aim, STRONGEST_PUSH / strength) : aim),
      kind,
      steps: Math.ceil(seconds / timestep),
    });
  }

  release(hand: string): void {
    this.#grips.delete(hand);
  }

  releaseAll(): void {
    this.#grips.clear();
  }

  /** Before each step; `find` gives undefined for a body that is gone. */
  apply(loads: Loads, find: (body: string) => RigidBody | undefined): void {
    for (const [hand, grip] of this.#grips) {
      const body = find(grip.body);
      if (body !== undefined) {
        const point = worldPoint(body, grip.local, this.#point);
        if (grip.kind === "push") loads.push(body, grip.aim, point);
        else leash(loads, body, point, grip.aim, STRONGEST_PUSH);
      }
      grip.steps -= 1;
      if (grip.steps <= 0 || body === undefined) this.#grips.delete(hand);
    }
  }

  save(): [string, Grip][] {
    return [...this.#grips].map(([hand, grip]) => [hand, { ...grip }]);
  }

  restore(saved: ReturnType<Hands["save"]>): void {
    this.#grips.clear();
    for (const [hand, grip] of saved) this.#grips.set(hand, { ...grip });
  }
}

/** A point of the world as the body has it. */
function localOf(body: RigidBody, point: Vec3): Vector {
  const offset = subtract(point, fromVector(body.translation()));
  return toVector(rotate(conjugate(fromRotation(body.rotation())), offset));
}
