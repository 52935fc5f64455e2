import RAPIER from "@dimforge/rapier3d-compat";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { SceneObject } from "../../robot/wire/scene.ts";
import { OBJECT_GROUPS } from "./shapes.ts";

/** Half a metre: more would not fit beside the robot on its table. */
const LARGEST = 0.5;
const SMALLEST = 0.002;
const HEAVIEST = 5;
const MOST = 32;
/** Makes up for the rolling resistance that the engine lacks: a ball comes to rest on the table, 1/s. */
const ROLLING = 1.5;
/** Metres below the table's top at which an object has fallen off for good. */
const FALLEN = 0.5;

/** The things on the table, by name, in the order they were added. */
export class SceneObjects {
  readonly #held = new Map<string, { object: SceneObject; body: RAPIER.RigidBody }>();

  /** @throws WorkbenchError `bad-request` when the name is taken or a measure is out of range */
  add(world: RAPIER.World, object: SceneObject): void {
    const problem = this.#problemWith(object);
    if (problem !== undefined) throw new WorkbenchError("bad-request", problem);
    const described = RAPIER.RigidBodyDesc.dynamic()
      .setTranslation(...object.position)
      .setAngularDamping(ROLLING);
    const body = world.createRigidBody(described);
    world.createCollider(shapeOf(object).setMass(object.mass).setCollisionGroups(OBJECT_GROUPS), body);
    this.#held.set(object.name, { object, body });
  }

  /** Takes an object away; false when there is none of this name. */
  remove(world: RAPIER.World, name: string): boolean {
    const body = this.body(name);
    if (body !== undefined) world.removeRigidBody(body);
    return this.#held.delete(name);
  }

  clear(world: RAPIER.World): void {
    for (const name of [...this.#held.keys()]) this.remove(world, name);
  }

  body(name: string): RAPIER.RigidBody | undefined {
    return this.#held.get(name)?.body;
  }

  bodies(): RAPIER.RigidBody[] {
    return [...this.#held.values()].map(({ body }) => body);
  }

  /** The names of those that fell off the table. */
  fallen(): string[] {
    return [...this.#held].filter(([, { body }]) => body.translation().z < -FALLEN).map(([name]) => name);
  }

  list(): SceneObject[] {
    return [...this.#held.values()].map(({ object }) => object);
  }

  save(): { object: SceneObject; handle: number }[] {
    return [...this.#held.values()].map(({ object, body }) => ({ object, handle: body.handle }));
  }

  restore(world: RAPIER.World, saved: ReturnType<SceneObjects["save"]>): void {
    this.#held.clear();
    for (const { object, handle } of saved) this.#held.set(object.name, { object, body: world.getRigidBody(handle) });
  }

  #problemWith({ name, shape, mass, position }: SceneObject): string | undefined {
    const extents = shape.kind === "ball" ? [2 * shape.radius] : shape.size;
    if (name === "" || this.#held.has(name)) return `An object needs a name of its own; "${name}" is taken or empty.`;
    if (this.#held.size >= MOST) return `The table holds ${MOST} objects; remove one before you add "${name}".`;
    if (!extents.every((extent) => extent >= SMALLEST && extent <= LARGEST))
      return `"${name}" measures ${extents.join(" x ")} m; each must be between ${SMALLEST} and ${LARGEST} m.`;
    if (!(mass > 0 && mass <= HEAVIEST))
      return `"${name}" weighs ${mass} kg; allowed is above 0 and at most ${HEAVIEST} kg.`;
    if (!position.every((x) => Math.abs(x) <= 1))
      return `"${name}" is at ${position.join(", ")} m; the table ends at 1 m.`;
    return undefined;
  }
}

function shapeOf({ shape }: SceneObject): RAPIER.ColliderDesc {
  if (shape.kind === "ball") return RAPIER.ColliderDesc.ball(shape.radius);
  const [x, y, z] = shape.size;
  return RAPIER.ColliderDesc.cuboid(x / 2, y / 2, z / 2);
}
