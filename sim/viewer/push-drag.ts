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

/** Newtons for each metre that the pointer is away from the grabbed point, and the most a person can push. */
const STIFFNESS = 40;
const STRONGEST = 3;

/**
 * Grabbing a body with the pointer and pulling at it as if by a spring. The band it draws goes from the grabbed point,
 * which moves with the body, to the pointer.
 */
export class PushDrag {
  readonly band: Line;
  readonly #knob: Mesh;
  readonly #ray = new Raycaster();
  readonly #plane = new Plane();
  readonly #pull = new Vector3();
  #held: { body: Object3D; name: string; local: Vector3 } | undefined;

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

  grab(body: Object3D, point: Vector3, camera: Camera): void {
    this.#held = { body, name: body.name, local: body.worldToLocal(point.clone()) };
    this.#plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), point);
    this.#pull.copy(point);
  }

  /** Follows the pointer; the grabbed point stays on the plane that faced the camera when it was grabbed. */
  follow(pointer: Vector2, camera: Camera): void {
    this.#ray.setFromCamera(pointer, camera);
    this.#ray.ray.intersectPlane(this.#plane, this.#pull);
  }

  release(): void {
    this.#held = undefined;
    this.band.visible = false;
  }

  /** The push of this moment, drawn as a band; undefined when nothing is held. */
  push(): Push | undefined {
    if (this.#held === undefined) return undefined;
    const grip = this.#held.body.localToWorld(this.#held.local.clone());
    const force = this.#pull.clone().sub(grip).multiplyScalar(STIFFNESS).clampLength(0, STRONGEST);
    const end = grip.clone().addScaledVector(force, 1 / STIFFNESS);
    this.band.geometry.setFromPoints([grip, end]);
    this.#knob.position.copy(end);
    this.band.visible = true;
    return { body: this.#held.name, point: grip.toArray(), force: force.toArray() };
  }
}

function isWithin(object: Object3D, ancestor: Object3D): boolean {
  for (let at: Object3D | null = object; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}
