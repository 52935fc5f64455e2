import { Group, type Object3D } from "three";
import { type DrawnObject, looksLike } from "../../robot/wire/objects-frame.ts";
import { disposeTree } from "./dispose.ts";
import { createObject } from "./model/object.ts";
import { mixRotations, Timeline } from "./timeline.ts";

/** Beside the robot: what lies on the table, drawn as it is told and gliding in between. */
export class TableObjects {
  readonly root = new Group();
  readonly #timeline = new Timeline(blendObjects);
  #latest: readonly DrawnObject[] = [];
  #drawn: readonly DrawnObject[] = [];

  /** What a pointer can take. */
  get bodies(): readonly Object3D[] {
    return this.root.children;
  }

  /** Whether the picture is not yet where the objects were told to be. */
  get behind(): boolean {
    return !alike(this.#latest, this.#drawn);
  }

  /** Metres from the robot to the middle of the farthest object. */
  get reach(): number {
    return Math.max(0, ...this.#drawn.map(({ pose: [x = 0, y = 0] }) => Math.hypot(x, y)));
  }

  /** `stamp` is the sender's clock, `now` the viewer's, in seconds. */
  update(stamp: number, objects: readonly DrawnObject[], now: number): void {
    this.#latest = objects;
    this.#timeline.push(stamp, objects, now);
  }

  /** Shows these objects at once. */
  show(objects: readonly DrawnObject[]): void {
    this.#timeline.clear();
    this.update(0, objects, 0);
  }

  /** Moves them to where they are at `now`; answers whether the picture changes. */
  draw(now: number): boolean {
    const objects = this.#timeline.sample(now) ?? this.#latest;
    if (alike(objects, this.#drawn)) return false;
    for (const former of this.#drawn) if (!objects.some((object) => isSame(object, former))) this.#remove(former.name);
    for (const { name, shape, pose } of objects) {
      const body = this.root.getObjectByName(name) ?? createObject(name, shape);
      const [x = 0, y = 0, z = 0, ...rotation] = pose;
      body.position.set(x, y, z);
      body.quaternion.fromArray(rotation);
      this.root.add(body);
    }
    this.#drawn = objects;
    this.root.updateMatrixWorld(true);
    return true;
  }

  #remove(name: string): void {
    const body = this.root.getObjectByName(name);
    if (body === undefined) return;
    this.root.remove(body);
    disposeTree(body);
  }
}

const alike = (a: readonly DrawnObject[], b: readonly DrawnObject[]): boolean =>
  a === b || looksLike({ t: 0, objects: a }, { t: 0, objects: b });

/** The same thing, wherever it is: a name can come back with another shape. */
const isSame = (a: DrawnObject, b: DrawnObject): boolean =>
  a.name === b.name && JSON.stringify(a.shape) === JSON.stringify(b.shape);

/** What is in both glides; what came is where it came, what went is gone. */
export function blendObjects(
  from: readonly DrawnObject[],
  to: readonly DrawnObject[],
  share: number,
): readonly DrawnObject[] {
  return to.map((object) => {
    const former = from.find((other) => isSame(other, object));
    if (former === undefined) return object;
    const position = object.pose.slice(0, 3).map((value, i) => {
      const start = former.pose[i] ?? value;
      return start + (value - start) * share;
    });
    return { ...object, pose: [...position, ...mixRotations(former.pose.slice(3), object.pose.slice(3), share)] };
  });
}
