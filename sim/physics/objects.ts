import RAPIER from "@dimforge/rapier3d-simd-compat";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { SceneObject } from "../../robot/wire/scene/hand-act.ts";
import { OBJECT_GROUPS } from "./model/shapes.ts";

/** Metres. Larger objects do not fit beside the robot on its table. */
const MAX_SIZE = 0.5;
const MIN_SIZE = 0.002;
const MAX_MASS = 5;
const MAX_OBJECTS = 32;
/** 1/s. Replaces the rolling resistance that the engine lacks, so that a ball stops on the table. */
const ANGULAR_DAMPING = 1.5;
/** Metres below the table's top at which a fallen object is removed. */
const FALL_DEPTH = 0.5;

/** The objects on the table, by name, in the order in which they were added. */
export class SceneObjects {
  readonly #entries = new Map<string, { object: SceneObject; body: RAPIER.RigidBody }>();

  /** @throws WorkbenchError `bad-request` when the name is taken or a measure is out of range */
  add(world: RAPIER.World, object: SceneObject): void {
    const problem = this.#validate(object);
    if (problem !== undefined) throw new WorkbenchError("bad-request", problem);
    const kind = object.fixed ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic();
    const body = world.createRigidBody(kind.setTranslation(...object.position).setAngularDamping(ANGULAR_DAMPING));
    world.createCollider(shapeOf(object).setMass(object.mass).setCollisionGroups(OBJECT_GROUPS), body);
    this.#entries.set(object.name, { object, body });
  }

  /** Removes an object; returns false when there is none of this name. */
  remove(world: RAPIER.World, name: string): boolean {
    const body = this.body(name);
    if (body !== undefined) world.removeRigidBody(body);
    return this.#entries.delete(name);
  }

  clear(world: RAPIER.World): void {
    for (const name of [...this.#entries.keys()]) this.remove(world, name);
  }

  body(name: string): RAPIER.RigidBody | undefined {
    return this.#entries.get(name)?.body;
  }

  bodies(): RAPIER.RigidBody[] {
    return [...this.#entries.values()].map(({ body }) => body);
  }

  /** Names of the objects that fell off the table. */
  fallenNames(): string[] {
    const isFallen = (body: RAPIER.RigidBody) => !body.isFixed() && body.translation().z < -FALL_DEPTH;
    return [...this.#entries].filter(([, { body }]) => isFallen(body)).map(([name]) => name);
  }

  list(): SceneObject[] {
    return [...this.#entries.values()].map(({ object }) => object);
  }

  save(): { object: SceneObject; handle: number }[] {
    return [...this.#entries.values()].map(({ object, body }) => ({ object, handle: body.handle }));
  }

  restore(world: RAPIER.World, saved: ReturnType<SceneObjects["save"]>): void {
    this.#entries.clear();
    for (const { object, handle } of saved)
      this.#entries.set(object.name, { object, body: world.getRigidBody(handle) });
  }

  #validate({ name, shape, mass, position }: SceneObject): string | undefined {
    const extents = shape.kind === "ball" ? [2 * shape.radius] : shape.size;
    if (name === "" || this.#entries.has(name)) return `An object needs a unique name; "${name}" is taken or empty.`;
    if (this.#entries.size >= MAX_OBJECTS)
      return `The table holds ${MAX_OBJECTS} objects; remove one before you add "${name}".`;
    if (!extents.every((extent) => extent >= MIN_SIZE && extent <= MAX_SIZE))
      return `"${name}" measures ${extents.join(" x ")} m; each edge must be from ${MIN_SIZE} to ${MAX_SIZE} m.`;
    if (!(mass > 0 && mass <= MAX_MASS))
      return `"${name}" weighs ${mass} kg; the mass must be above 0 and at most ${MAX_MASS} kg.`;
    if (!position.every((x) => Math.abs(x) <= 1))
      return `"${name}" is at ${position.join(", ")} m; each coordinate must be from -1 to 1 m, where the table ends.`;
    return undefined;
  }
}

function shapeOf({ shape }: SceneObject): RAPIER.ColliderDesc {
  if (shape.kind === "ball") return RAPIER.ColliderDesc.ball(shape.radius);
  const [x, y, z] = shape.size;
  return RAPIER.ColliderDesc.cuboid(x / 2, y / 2, z / 2);
}
