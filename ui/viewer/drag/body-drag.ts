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
import type { Pull, Push } from "../../../robot/wire/scene/hand-act.ts";

/** Newtons for each metre between the pointer and the grabbed point, and the largest force. */
const STIFFNESS = 40;
const LARGEST_FORCE = 3;

/**
 * Dragging a body with the pointer. A part of the robot is pushed as if by a spring; an object is carried. A rubber
 * band is drawn from the grabbed point, which moves with the body, to the pointer.
 */
export class BodyDrag {
  readonly band: Line;
  readonly #knob: Mesh;
  readonly #ray = new Raycaster();
  readonly #plane = new Plane();
  readonly #pointer = new Vector3();
  #grabbed: { body: Object3D; local: Vector3; isObject: boolean } | undefined;

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
    return this.#grabbed !== undefined;
  }

  /** The first of `bodies` under the pointer (device coordinates, -1 to 1) and the point that it hits. */
  pick(pointer: Vector2, camera: Camera, bodies: readonly Object3D[]): { body: Object3D; point: Vector3 } | undefined {
    this.#ray.setFromCamera(pointer, camera);
    const hit = this.#ray.intersectObjects([...bodies], true)[0];
    const body = bodies.find((candidate) => hit !== undefined && isWithin(hit.object, candidate));
    return hit && body && { body, point: hit.point };
  }

  /** @param isObject whether the body is an object on the table, which is carried, and no part of the robot */
  grab(body: Object3D, point: Vector3, camera: Camera, isObject = false): void {
    this.#grabbed = { body, local: body.worldToLocal(point.clone()), isObject };
    this.#plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), point);
    this.#pointer.copy(point);
  }

  /** Moves the pointer, in the plane that faced the camera when the body was grabbed. */
  moveTo(pointer: Vector2, camera: Camera): void {
    this.#ray.setFromCamera(pointer, camera);
    this.#ray.ray.intersectPlane(this.#plane, this.#pointer);
    // An object must not be carried into the table.
    if (this.#grabbed?.isObject) this.#pointer.z = Math.max(0, this.#pointer.z);
  }

  release(): void {
    this.#grabbed = undefined;
    this.band.visible = false;
  }

  /** Draws the band. @returns what the drag does to the body now; undefined when nothing is grabbed */
  update(): Push | Pull | undefined {
    if (this.#grabbed === undefined) return undefined;
    const { name: body } = this.#grabbed.body;
    const grip = this.#grabbed.body.localToWorld(this.#grabbed.local.clone());
    const point = grip.toArray();
    if (this.#grabbed.isObject) {
      this.#drawBand(grip, this.#pointer);
      return { body, point, towards: this.#pointer.toArray() };
    }
    const force = this.#pointer.clone().sub(grip).multiplyScalar(STIFFNESS).clampLength(0, LARGEST_FORCE);
    this.#drawBand(grip, grip.clone().addScaledVector(force, 1 / STIFFNESS));
    return { body, point, force: force.toArray() };
  }

  #drawBand(start: Vector3, end: Vector3): void {
    this.band.geometry.setFromPoints([start, end]);
    this.#knob.position.copy(end);
    this.band.visible = true;
  }
}

function isWithin(object: Object3D, ancestor: Object3D): boolean {
  for (let at: Object3D | null = object; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}
