import type { Quaternion, Vec3 } from "../../robot/description/frames.ts";
import { conjugate, rotate } from "../../robot/kinematics/quaternion.ts";
import { add, dot, scale, subtract } from "../../robot/kinematics/vector.ts";
import type { DrawnObject } from "../../robot/wire/scene/scene-frame.ts";
import { TABLE_HALF_WIDTH } from "../table.ts";
import { AMBIENT, type Canvas, type Colour, cornersAround, LIGHT, packed } from "./canvas.ts";

/** Sine of half the width of a ball's band, and its colour; as on the dashboard. */
const BAND = 0.159;
const BAND_COLOUR: Colour = [255, 246, 234];

/** Where a ray first meets a body: its length in units of the ray, and the unit normal there, world frame. */
interface Hit {
  readonly t: number;
  readonly normal: Vec3;
}

/** A body that rays are tested against. */
interface Body {
  readonly centre: Vec3;
  /** Metres from the centre to the farthest point. */
  readonly reach: number;
  /** @param origin, ray world frame, metres */
  meet(origin: Vec3, ray: Vec3): Hit | null;
  colourAt(normal: Vec3): Colour;
}

/** Draws the objects at their places, and their shadows on the table. */
export function drawObjects(canvas: Canvas, objects: readonly DrawnObject[]): void {
  const bodies = objects.map(bodyOf);
  drawShadows(canvas, bodies);
  for (const body of bodies) drawBody(canvas, body);
}

function drawBody(canvas: Canvas, body: Body): void {
  const { position } = canvas.place;
  const { reach } = body;
  canvas.eachRay(cornersAround(body.centre, [reach, reach, reach]), (pixel, ray) => {
    const hit = body.meet(position, ray);
    if (hit === null || hit.t >= (canvas.depth[pixel] as number)) return;
    canvas.depth[pixel] = hit.t;
    const light = AMBIENT + (1 - AMBIENT) * Math.max(0, dot(hit.normal, LIGHT));
    canvas.colours[pixel] = packed(scale(body.colourAt(hit.normal), light));
  });
}

function drawShadows(canvas: Canvas, bodies: readonly Body[]): void {
  const { position } = canvas.place;
  const inShadow = new Uint8Array(canvas.depth.length);
  for (const body of bodies) {
    const width = body.reach / LIGHT[2];
    const middle = subtract(body.centre, scale(LIGHT, body.centre[2] / LIGHT[2]));
    canvas.eachRay(cornersAround(middle, [width, width, 0]), (pixel, ray) => {
      if (ray[2] >= 0) return;
      const point = add(position, scale(ray, -position[2] / ray[2]));
      if (Math.max(Math.abs(point[0]), Math.abs(point[1])) > TABLE_HALF_WIDTH) return;
      const aside = subtract(point, middle);
      if (dot(aside, aside) < width * width && body.meet(point, LIGHT) !== null) inShadow[pixel] = 1;
    });
  }
  canvas.darken(inShadow);
}

function bodyOf({ shape, color, pose }: DrawnObject): Body {
  const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = pose;
  const colour = parseColour(color);
  const rotation: Quaternion = [qx, qy, qz, qw];
  return shape.kind === "ball"
    ? ballOf([x, y, z], rotation, shape.radius, colour)
    : boxOf([x, y, z], rotation, shape.size, colour);
}

function ballOf(centre: Vec3, rotation: Quaternion, radius: number, colour: Colour): Body {
  const axis = rotate(rotation, [0, 1, 0]);
  return {
    centre,
    reach: radius,
    meet: (origin, ray) => {
      const from = subtract(origin, centre);
      const [t] = crossSphere(from, ray, radius) ?? [0];
      if (t <= 0) return null;
      return {
        t,
        normal: [(from[0] + t * ray[0]) / radius, (from[1] + t * ray[1]) / radius, (from[2] + t * ray[2]) / radius],
      };
    },
    colourAt: (normal) => (Math.abs(dot(normal, axis)) < BAND ? BAND_COLOUR : colour),
  };
}

/**
 * Where a line enters and leaves a sphere, in units of the ray and negative behind its origin; null when it misses.
 * @param from origin of the ray relative to the sphere's centre, metres
 */
function crossSphere(from: Vec3, ray: Vec3, radius: number): readonly [enter: number, leave: number] | null {
  const a = dot(ray, ray);
  const b = dot(ray, from);
  const root = b * b - a * (dot(from, from) - radius * radius);
  return root < 0 ? null : [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a];
}

function boxOf(centre: Vec3, rotation: Quaternion, size: Vec3, colour: Colour): Body {
  const inverse = conjugate(rotation);
  const reach = Math.hypot(...size) / 2;
  return {
    centre,
    reach,
    meet: (origin, ray) => {
      const fromCentre = subtract(origin, centre);
      // The origin may be inside this sphere and outside the box: only a sphere that is missed or behind excludes the box.
      const [, leaveSphere] = crossSphere(fromCentre, ray, reach) ?? [0, 0];
      if (leaveSphere <= 0) return null;
      const from = rotate(inverse, fromCentre);
      const along = rotate(inverse, ray);
      let [enter, leave, side] = [0, Number.POSITIVE_INFINITY, -1];
      for (const axis of [0, 1, 2] as const) {
        const half = size[axis] / 2;
        if (along[axis] === 0 && Math.abs(from[axis]) > half) return null;
        const one = (-half - from[axis]) / along[axis];
        const other = (half - from[axis]) / along[axis];
        const first = Math.min(one, other);
        if (first > enter) [enter, side] = [first, axis];
        leave = Math.min(leave, Math.max(one, other));
      }
      if (enter >= leave || side < 0) return null;
      const normal: [number, number, number] = [0, 0, 0];
      normal[side] = -Math.sign(along[side] as number);
      return { t: enter, normal: rotate(rotation, normal) };
    },
    colourAt: () => colour,
  };
}

const parseColour = (text: string): Colour =>
  [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as unknown as Colour;
