import {
  BufferGeometry,
  type Camera,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Plane,
  Raycaster,
  SphereGeometry,
  type Vector2,
  Vector3,
} from "three";

/** A force on a body of the robot, world axes: newtons, at a point in metres. */
export interface Push {
  body: string;
  point: [number, number, number];
  force: [number, number, number];
}

/** An object that is carried by a point to a place, world axes, metres. */
export interface Pull {
  body: string;
  point: [number, number, number];
  towards: [number, number, number];
}

/** Newtons for each metre that the pointer is away from the grabbed point, and the most a person can push. */
const STIFFNESS = 40;
const STRONGEST = 3;

/**
 * Grabbing a body with the pointer: a part of the robot is pulled at as if by a spring, an object is carried. The band it
 * draws goes from the grabbed point, which moves with the body, to the pointer.
 */
export class PushDrag {
  readonly band: Line;
  readonly #knob: Mesh;
  readonly #ray = new Raycaster();
  readonly #plane = new Plane();
  readonly #pull = new Vector3();
  #held: { body: Object3D; local: Vector3; carried: boolean } | undefined;

  constructor() {
    const paint = { color: "#ff6a45", depthTest: false, transparent: true };
    this.band = new Line(
      new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]),
      new LineBasicMaterial(paint),
    );
    this.#knob = new Mesh(new SphereGeometry(0.0045, 20, 14), new MeshBasicMaterial(paint));
    this.band.add(this.#knob);
    this.band.visible = false;
    this.band.frustumCulled = false;
    this.band.renderOrder = 10;
  }

  get active(): boolean {
    return this.#held !== undefined;
  }

  /** The first of `bodies` under the pointer (device coordinates, -1 to 1) and the point hit. */
  pick(pointer: Vector2, camera: Camera, bodies: readonly Object3D[]): { body: Object3D; point: Vector3 } | undefined {
    this.#ray.setFromCamera(pointer, camera);
    const hit = this.#ray.intersectObjects([...bodies], true)[0];
    const body = bodies.find((candidate) => hit !== undefined && isWithin(hit.object, candidate));
    return hit && body && { body, point: hit.point };
  }

  /** @param carried whether the body is an object, which follows the pointer, and no part of the robot */
  grab(body: Object3D, point: Vector3, camera: Camera, carried = false): void {
    this.#held = { body, local: body.worldToLocal(point.clone()), carried };
    this.#plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), point);
    this.#pull.copy(point);
  }

  /** Follows the pointer; the grabbed point stays on the plane that faced the camera when it was grabbed. */
  follow(pointer: Vector2, camera: Camera): void {
    this.#ray.setFromCamera(pointer, camera);
    this.#ray.ray.intersectPlane(this.#plane, this.#pull);
    // Nothing is carried into the table.
    if (this.#held?.carried) this.#pull.z = Math.max(0, this.#pull.z);
  }

  release(): void {
    this.#held = undefined;
    this.band.visible = false;
  }

  /** The push or pull of this moment, drawn as a band; undefined when nothing is held. */
  push(): Push | Pull | undefined {
    if (this.#held === undefined) return undefined;
    const { name: body } = this.#held.body;
    const grip = this.#held.body.localToWorld(this.#held.local.clone());
    const point = grip.toArray();
    if (this.#held.carried) {
      this.#draw(grip, this.#pull);
      return { body, point, towards: this.#pull.toArray() };
    }
    const force = this.#pull.clone().sub(grip).multiplyScalar(STIFFNESS).clampLength(0, STRONGEST);
    this.#draw(grip, grip.clone().addScaledVector(force, 1 / STIFFNESS));
    return { body, point, force: force.toArray() };
  }

  #draw(grip: Vector3, end: Vector3): void {
    this.band.geometry.setFromPoints([grip, end]);
    this.#knob.position.copy(end);
    this.band.visible = true;
  }
}

function isWithin(object: Object3D, ancestor: Object3D): boolean {
  for (let at: Object3D | null = object; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}
