import RAPIER from "@dimforge/rapier3d-compat";
import type { BodyName } from "../../robot/description/bodies.ts";
import type { Pose } from "../../robot/description/frames.ts";
import { HEAD_HEIGHT } from "../../robot/description/geometry.ts";
import { poseFrom } from "../../robot/kinematics/pose.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene.ts";
import type { Actuator } from "../servos/actuator.ts";
import { AssemblyWatch, mended } from "./assembly.ts";
import { frictionOf } from "./friction.ts";
import { widestGap } from "./gaps.ts";
import { Hands } from "./hands.ts";
import { joinParts } from "./joints.ts";
import { fromRotation, fromVector } from "./linear.ts";
import { GRAVITY, Loads } from "./loads.ts";
import { JointMotor, type MotorState } from "./motor.ts";
import { SceneObjects } from "./objects.ts";
import { createParts, findParts, type Parts } from "./parts.ts";
import { HINGES } from "./plan.ts";
import { assume, type Posture } from "./posture.ts";
import { addShapes } from "./shapes.ts";

/** Seconds a step. With `SOLVER_ITERATIONS` it makes substeps of 0.25 ms, which keep the loops closed within 0.1 mm. */
export const TIMESTEP = 0.001;
const SOLVER_ITERATIONS = 4;
/** Steps between two looks at the platform's assembly, whose flip takes longer, and at what fell off the table. */
const STEPS_PER_CHECK = 8;

/** Everything that decides how a world goes on. */
export interface PhysicsSnapshot {
  readonly engine: Uint8Array;
  readonly steps: number;
  readonly reseats: number;
  readonly assembly: ReturnType<AssemblyWatch["save"]>;
  readonly motors: readonly MotorState[];
  readonly objects: ReturnType<SceneObjects["save"]>;
  readonly hands: ReturnType<Hands["save"]>;
}

/**
 * The robot as a mechanism on a table: no clock, no I/O, and the same calls always give the same motion, bit by bit.
 * Lengths in metres, angles in radians, world frame as in robot/description.
 */
export class PhysicsWorld {
  /** The nine joint motors in the order of `JOINTS`. */
  readonly actuators: readonly Actuator[];
  readonly #motors: readonly JointMotor[];
  readonly #objects = new SceneObjects();
  readonly #hands = new Hands();
  readonly #assembly = new AssemblyWatch();
  #loads = new Loads();
  #world: RAPIER.World;
  #parts: Parts;
  #steps = 0;
  #reseats = 0;

  /** Use `createPhysics`, which loads the engine first. */
  constructor(posture: Posture, random: () => number) {
    this.#world = new RAPIER.World(GRAVITY);
    this.#world.timestep = TIMESTEP;
    this.#world.numSolverIterations = SOLVER_ITERATIONS;
    this.#parts = createParts(this.#world);
    const joints = joinParts(this.#world, this.#parts);
    addShapes(this.#world, this.#parts);
    this.#motors = HINGES.map((hinge, index) => {
      const joint = joints[index] as RAPIER.UnitImpulseJoint;
      return new JointMotor(hinge, this.#parts, joint, frictionOf(hinge.name, random));
    });
    this.actuators = this.#motors;
    this.place(posture);
  }

  /** Steps of `TIMESTEP` since the start. */
  get steps(): number {
    return this.#steps;
  }

  /** How often a platform that was pushed inside out was put together again. */
  get reseats(): number {
    return this.#reseats;
  }

  /** Goes on by `TIMESTEP`. */
  step(): void {
    this.#loads.clear();
    for (const motor of this.#motors) motor.prepare(this.#loads);
    this.#hands.apply(this.#loads, this.#find);
    this.#world.step();
    for (const motor of this.#motors) motor.moved();
    this.#steps += 1;
    if (this.#steps % STEPS_PER_CHECK !== 0) return;
    this.#keepAssembled();
    for (const name of this.#objects.fallen()) this.removeObject(name);
  }

  /** Puts the robot into a posture, at rest; what its motors were told stays. */
  place(posture: Posture): void {
    assume(this.#parts, posture);
    this.#motors.forEach((motor, index) => {
      motor.reset(posture.joints[index] ?? 0);
    });
  }

  /** Angles in the order of `JOINTS`, and the head relative to its neutral pose. */
  posture(): Posture {
    return { joints: this.#motors.map((motor) => motor.position()), head: this.headPose() };
  }

  headPose(): Pose {
    const { head } = this.#parts;
    const [x, y, z] = fromVector(head.translation());
    return poseFrom([x, y, z - HEAD_HEIGHT], fromRotation(head.rotation()));
  }

  /** The widest gap in a ball joint of the platform, metres. */
  closureError(): number {
    return widestGap(this.#parts);
  }

  /**
   * Pushes or pulls with a named hand for so many seconds; the same hand holds one thing at a time. `null` lets go.
   * @throws WorkbenchError `bad-request` for a body that does not exist or numbers out of range
   */
  push(hand: string, push: Push | Pull | null, seconds = 0.1): void {
    if (push === null) {
      this.#hands.release(hand);
      return;
    }
    const body = this.#find(push.body);
    if (body === undefined) {
      const names = [...Object.keys(this.#parts), ...this.#objects.list().map(({ name }) => name)];
      throw new WorkbenchError("bad-request", `There is no body "${push.body}"; there are ${names.join(", ")}.`);
    }
    this.#hands.push(hand, body, push, seconds, TIMESTEP);
  }

  addObject(object: SceneObject): void {
    if (object.name in this.#parts) {
      throw new WorkbenchError("bad-request", `"${object.name}" is a part of the robot; give the object another name.`);
    }
    this.#objects.add(this.#world, object);
  }

  /** False when there is no object of this name. */
  removeObject(name: string): boolean {
    const body = this.#objects.body(name);
    if (body !== undefined) this.#loads.forget(body);
    return this.#objects.remove(this.#world, name);
  }

  objects(): readonly SceneObject[] {
    return this.#objects.list();
  }

  /** The engine's own body, to read; undefined when neither part nor object has this name. */
  body(name: string): RAPIER.RigidBody | undefined {
    return this.#find(name);
  }

  snapshot(): PhysicsSnapshot {
    return {
      engine: this.#world.takeSnapshot(),
      steps: this.#steps,
      reseats: this.#reseats,
      assembly: this.#assembly.save(),
      motors: this.#motors.map((motor) => motor.save()),
      objects: this.#objects.save(),
      hands: this.#hands.save(),
    };
  }

  /** Goes on from a snapshot exactly as the world went on that it was taken of. */
  restore(snapshot: PhysicsSnapshot): void {
    const former = this.#world;
    const world = RAPIER.World.restoreSnapshot(snapshot.engine);
    this.#world = world;
    this.#parts = findParts(world, this.#parts);
    this.#motors.forEach((motor, index) => {
      motor.restore(snapshot.motors[index] as MotorState, world, this.#parts);
    });
    this.#objects.restore(world, snapshot.objects);
    this.#loads = new Loads([...Object.values(this.#parts), ...this.#objects.bodies()]);
    this.#hands.restore(snapshot.hands);
    this.#steps = snapshot.steps;
    this.#reseats = snapshot.reseats;
    this.#assembly.restore(snapshot.assembly);
    former.free();
  }

  /** Gives the engine's memory back; the world cannot be used after this. */
  free(): void {
    this.#world.free();
  }

  readonly #find = (name: string): RAPIER.RigidBody | undefined =>
    this.#parts[name as BodyName] ?? this.#objects.body(name);

  #keepAssembled(): void {
    const posture = this.posture();
    if (this.#assembly.isSound(posture, this.closureError())) return;
    this.#hands.releaseAll();
    this.place(mended(posture.joints));
    this.#assembly.restore(0);
    this.#reseats += 1;
  }
}
