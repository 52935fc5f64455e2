import { Group, Mesh, MeshStandardMaterial, type Object3D, SphereGeometry } from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { type DrawnObject, looksEqual } from "../../../robot/wire/scene/scene-frame.ts";
import { interpolateRotations } from "../frames/frame.ts";
import { JitterBuffer } from "../frames/jitter-buffer.ts";
import { disposeTree } from "../model/dispose.ts";

/** Edge radius of a box, metres. */
const EDGE_RADIUS = 0.004;
/** Maximum edge radius, as a share of the shortest edge. */
const EDGE_SHARE = 0.12;
const BAND_HALF_ANGLE = 0.16; // rad
const BAND_SCALE = 1.003; // avoids z-fighting

/** The objects on the table beside the robot, drawn between the states that arrive. */
export class TableObjects {
  readonly root = new Group();
  readonly #buffer = new JitterBuffer(interpolateObjects);
  #latest: readonly DrawnObject[] = [];
  #drawn: readonly DrawnObject[] = [];

  /** What a pointer can grab. */
  get bodies(): readonly Object3D[] {
    return this.root.children;
  }

  /** Whether the objects are drawn elsewhere than in the latest state. */
  get isMoving(): boolean {
    return !sameObjects(this.#latest, this.#drawn);
  }

  /** Metres from the robot to the middle of the farthest object. */
  get reach(): number {
    return Math.max(0, ...this.#drawn.map(({ pose: [x = 0, y = 0] }) => Math.hypot(x, y)));
  }

  /** `stamp` is the sender's clock, `now` the viewer's, in seconds. */
  update(stamp: number, objects: readonly DrawnObject[], now: number): void {
    this.#latest = objects;
    this.#buffer.push(stamp, objects, now);
  }

  /** Moves the objects to where they are at `now`. @returns whether the picture changes */
  draw(now: number): boolean {
    const objects = this.#buffer.sample(now) ?? this.#latest;
    if (sameObjects(objects, this.#drawn)) return false;
    for (const previous of this.#drawn)
      if (!objects.some((object) => isSameObject(object, previous))) this.#remove(previous.name);
    for (const object of objects) {
      const body = this.root.getObjectByName(object.name) ?? createObjectMesh(object);
      const [x = 0, y = 0, z = 0, ...rotation] = object.pose;
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

const sameObjects = (a: readonly DrawnObject[], b: readonly DrawnObject[]): boolean =>
  a === b || looksEqual({ t: 0, objects: a }, { t: 0, objects: b });

/** Whether two states show the same object: a removed object's name may return with another look. */
const isSameObject = (a: DrawnObject, b: DrawnObject): boolean =>
  a.name === b.name && a.color === b.color && JSON.stringify(a.shape) === JSON.stringify(b.shape);

/** Objects of both states are interpolated; new ones appear in place, missing ones disappear. */
export function interpolateObjects(
  from: readonly DrawnObject[],
  to: readonly DrawnObject[],
  share: number,
): readonly DrawnObject[] {
  return to.map((object) => {
    const previous = from.find((other) => isSameObject(other, object));
    if (previous === undefined) return object;
    const position = object.pose.slice(0, 3).map((value, i) => {
      const start = previous.pose[i] ?? value;
      return start + (value - start) * share;
    });
    const rotation = interpolateRotations(previous.pose.slice(3), object.pose.slice(3), share);
    return { ...object, pose: [...position, ...rotation] };
  });
}

/** An object with its origin in its middle. A ball has a band that makes its rotation visible. */
function createObjectMesh({ name, shape, color }: Omit<DrawnObject, "pose">): Group {
  const paint = new MeshStandardMaterial({ color, roughness: 0.42 });
  const root = new Group();
  root.name = name;
  if (shape.kind === "ball") {
    const { radius } = shape;
    root.add(new Mesh(new SphereGeometry(radius, 40, 28), paint));
    const start = Math.PI / 2 - BAND_HALF_ANGLE;
    const band = new SphereGeometry(radius * BAND_SCALE, 40, 4, 0, 2 * Math.PI, start, 2 * BAND_HALF_ANGLE);
    root.add(new Mesh(band, new MeshStandardMaterial({ color: "#fff6ea", roughness: 0.5 })));
  } else {
    const [x, y, z] = shape.size;
    root.add(
      new Mesh(new RoundedBoxGeometry(x, y, z, 3, Math.min(EDGE_RADIUS, EDGE_SHARE * Math.min(x, y, z))), paint),
    );
  }
  for (const part of root.children) {
    part.castShadow = true;
    part.receiveShadow = true;
  }
  return root;
}
