import RAPIER from "@dimforge/rapier3d-simd-compat";
import { seededRandom } from "../../common/seeded-random.ts";
import type { BodyName } from "../../robot/description/bodies.ts";
import type { Pose } from "../../robot/description/frames.ts";
import { HEAD_HEIGHT } from "../../robot/description/geometry.ts";
import { poseFrom } from "../../robot/kinematics/pose.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene/hand-act.ts";
import type { Actuator } from "../servos/motor/actuator.ts";
import { GearMotor } from "../servos/motor/gear-motor.ts";
import { frictionScale, MOTORS, type MotorsByModel, motorOf } from "../servos/motor/motor-parameters.ts";
import { fromRotation, fromVector } from "./engine-vectors.ts";
import { ExternalForces } from "./forces/external-forces.ts";
import { JointMotor, type MotorState } from "./forces/joint-motor.ts";
import { GRAVITY, Loads } from "./forces/loads.ts";
import { joinParts } from "./model/joints.ts";
import { HINGES } from "./model/linkage.ts";
import { createParts, findParts, type Parts } from "./model/parts.ts";
import { FOOT_ON_TABLE, type Placement, type Posture, relativeTo, setPosture } from "./model/posture.ts";
import { addShapes } from "./model/shapes.ts";
import { SceneObjects } from "./objects.ts";
import { PlatformCheck, recoveredPosture, widestGap } from "./platform.ts";
import { RestDetector } from "./rest.ts";

/**
 * Seconds per step. The gaps in the platform's ball joints grow with the square of a substep and shrink with the
 * iterations in it, which cost a fifth of a substep: few substeps of many iterations keep the loops closed within 0.1 mm.
 */
export const TIMESTEP = 0.0025;
const SUBSTEPS = 2;
const ITERATIONS_PER_SUBSTEP = 12;
/** Steps between two checks for a broken platform, which takes longer to flip, and for objects that fell off the table. */
const STEPS_PER_CHECK = 4;
/** Metres: a free foot below it has fallen off the table. */
const LOWEST_BASE = -0.5;

/** The complete state of a world. */
interface PhysicsSnapshot {
  readonly engine: Uint8Array;
  readonly steps: number;
  /** How often the platform broke and was restored. */
  readonly recoveries: number;
  readonly singularChecks: number;
  readonly motors: readonly MotorState[];
  readonly objects: ReturnType<SceneObjects["save"]>;
  readonly externalForces: ReturnType<ExternalForces["save"]>;
  readonly stillChecks: number;
}

/**
 * The robot as a mechanism on a table. It has no clock and no I/O; the same calls always give bit-identical motion.
 * Lengths in metres, angles in radians, world frame as in robot/description.
 */
export class PhysicsWorld {
  /** The nine joint motors in the order of `JOINTS`. */
  readonly actuators: readonly Actuator[];
  readonly #motors: readonly JointMotor[];
  readonly #objects = new SceneObjects();
  readonly #externalForces = new ExternalForces();
  readonly #platformCheck = new PlatformCheck();
  readonly #rest = new RestDetector();
  #loads = new Loads();
  #world: RAPIER.World;
  #parts: Parts;
  #steps = 0;
  #recoveries = 0;
  readonly #freeBase: boolean;

  /** Use `createPhysics`, which loads the engine first. */
  constructor(posture: Posture, random: () => number, freeBase: boolean, motors: MotorsByModel) {
    this.#freeBase = freeBase;
    this.#world = new RAPIER.World(GRAVITY);
    this.#world.timestep = TIMESTEP;
    this.#world.numSolverIterations = SUBSTEPS;
    this.#world.numInternalPgsIterations = ITERATIONS_PER_SUBSTEP;
    this.#parts = createParts(this.#world, freeBase, motors);
    const joints = joinParts(this.#world, this.#parts);
    addShapes(this.#world, this.#parts, freeBase);
    this.#motors = HINGES.map((hinge, index) => {
      const joint = joints[index] as RAPIER.UnitImpulseJoint;
      const gear = new GearMotor(motorOf(hinge.name, motors), frictionScale(random));
      return new JointMotor(hinge, this.#parts, joint, gear, () => this.#rest.wake());
    });
    this.actuators = this.#motors;
    this.setPosture(posture);
  }

  /** How often a broken platform was recovered. */
  get recoveries(): number {
    return this.#recoveries;
  }

  /** Whether nothing moves, so that steps only pass time until something acts on the world. */
  get isAtRest(): boolean {
    return this.#rest.isAtRest;
  }

  /** Advances a world at rest by this many steps of `TIMESTEP`, without simulating it. */
  skip(steps: number): void {
    this.#steps += steps;
  }

  /** Advances the world by `TIMESTEP`. */
  step(): void {
    if (this.#rest.isAtRest) {
      this.skip(1);
      return;
    }
    this.#loads.clear();
    for (const motor of this.#motors) motor.beforeStep(TIMESTEP);
    this.#externalForces.apply(this.#loads, this.body);
    this.#world.step();
    for (const motor of this.#motors) motor.afterStep();
    this.#steps += 1;
    if (this.#steps % STEPS_PER_CHECK !== 0) return;
    this.#recoverIfBroken();
    for (const name of this.#objects.fallenNames()) this.removeObject(name);
    if (this.#externalForces.isActive) this.#rest.wake();
    else this.#rest.check(this.#motors, this.#freeBodies());
  }

  /** Moves the robot to a posture with zero velocity. The motors keep their commands. @param foot where the foot is */
  setPosture(posture: Posture, foot = FOOT_ON_TABLE): void {
    setPosture(this.#parts, posture, foot);
    this.#rest.wake();
    this.#motors.forEach((motor, index) => {
      motor.reset(posture.joints[index] ?? 0);
    });
  }

  /** Angles in the order of `JOINTS`, and the head relative to its neutral pose in the frame of the foot. */
  posture(): Posture {
    return { joints: this.#motors.map((motor) => motor.position()), head: this.headPose() };
  }

  headPose(): Pose {
    const { head } = this.#parts;
    const world = { position: fromVector(head.translation()), rotation: fromRotation(head.rotation()) };
    const { position, rotation } = this.#freeBase ? relativeTo(this.base(), world) : world;
    const [x, y, z] = position;
    return poseFrom([x, y, z - HEAD_HEIGHT], rotation);
  }

  /** Where the foot is: at the origin of the table, unless the base is free. */
  base(): Placement {
    const { foot } = this.#parts;
    return { position: fromVector(foot.translation()), rotation: fromRotation(foot.rotation()) };
  }

  /** The widest gap in a ball joint of the platform, metres. */
  closureError(): number {
    return widestGap(this.#parts);
  }

  /**
   * Pushes or pulls for some seconds. `hand` names the push; another one with the same name replaces it, and `null` ends it.
   * @throws WorkbenchError `bad-request` for a body that does not exist or numbers out of range
   */
  push(hand: string, push: Push | Pull | null, seconds = 0.1): void {
    if (push === null) {
      this.#externalForces.remove(hand);
      return;
    }
    const body = this.body(push.body);
    if (body === undefined) {
      const names = [...Object.keys(this.#parts), ...this.#objects.list().map(({ name }) => name)];
      throw new WorkbenchError("bad-request", `There is no body "${push.body}"; there are ${names.join(", ")}.`);
    }
    this.#externalForces.set(hand, body, push, seconds, TIMESTEP);
    this.#rest.wake();
  }

  /** @throws WorkbenchError `bad-request` when the name is taken or a measure is out of range */
  addObject(object: SceneObject): void {
    if (object.name in this.#parts) {
      throw new WorkbenchError("bad-request", `"${object.name}" is a part of the robot; give the object another name.`);
    }
    this.#objects.add(this.#world, object);
    this.#rest.wake();
  }

  /** Returns false when there is no object of this name. */
  removeObject(name: string): boolean {
    const body = this.#objects.body(name);
    if (body !== undefined) this.#loads.removeBody(body);
    this.#rest.wake();
    return this.#objects.remove(this.#world, name);
  }

  objects(): readonly SceneObject[] {
    return this.#objects.list();
  }

  /** The engine's body of a part of the robot, for reading. */
  part(name: BodyName): RAPIER.RigidBody {
    return this.#parts[name];
  }

  /** The engine's body, for reading; undefined when neither a part nor an object has this name. */
  readonly body = (name: string): RAPIER.RigidBody | undefined =>
    this.#parts[name as BodyName] ?? this.#objects.body(name);

  snapshot(): PhysicsSnapshot {
    return {
      engine: this.#world.takeSnapshot(),
      steps: this.#steps,
      recoveries: this.#recoveries,
      singularChecks: this.#platformCheck.singularChecks,
      motors: this.#motors.map((motor) => motor.save()),
      objects: this.#objects.save(),
      externalForces: this.#externalForces.save(),
      stillChecks: this.#rest.stillChecks,
    };
  }

  /** Continues from a snapshot, bit-identical to the world that it was taken of. */
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
    this.#externalForces.restore(snapshot.externalForces);
    this.#steps = snapshot.steps;
    this.#recoveries = snapshot.recoveries;
    this.#platformCheck.singularChecks = snapshot.singularChecks;
    this.#rest.stillChecks = snapshot.stillChecks;
    former.free();
  }

  /** Frees the engine's memory; the world cannot be used afterwards. */
  free(): void {
    this.#world.free();
  }

  /** Bodies that nothing holds in place. */
  #freeBodies(): RAPIER.RigidBody[] {
    return this.#freeBase ? [this.#parts.foot, ...this.#objects.bodies()] : this.#objects.bodies();
  }

  #recoverIfBroken(): void {
    const posture = this.posture();
    const hasFallen = this.#freeBase && this.base().position[2] < LOWEST_BASE;
    if (!hasFallen && this.#platformCheck.isIntact(posture, this.closureError())) return;
    this.#externalForces.clear();
    this.setPosture(recoveredPosture(posture.joints), hasFallen ? FOOT_ON_TABLE : this.base());
    this.#platformCheck.singularChecks = 0;
    this.#recoveries += 1;
  }
}

interface PhysicsOptions {
  /** The robot's initial posture; it starts without motion and without power. */
  readonly posture: Posture;
  /** Determines the friction of each joint. */
  readonly seed: number;
  /** Whether the robot stands free on the table, so that it can slide and tip over. Default false: its foot is fixed. */
  readonly freeBase?: boolean;
  /** Motors and gears of the servo models. Default: `MOTORS`. */
  readonly motors?: MotorsByModel;
}

/** Loads the physics engine and builds the robot. */
export async function createPhysics({
  posture,
  seed,
  freeBase = false,
  motors = MOTORS,
}: PhysicsOptions): Promise<PhysicsWorld> {
  await RAPIER.init();
  return new PhysicsWorld(posture, seededRandom(seed), freeBase, motors);
}
