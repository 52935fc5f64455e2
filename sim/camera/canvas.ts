import { type Lens, pointAtPixel } from "../../robot/camera/lens.ts";
import { type CameraPlace, projectPoint } from "../../robot/camera/projection.ts";
import type { Vec3 } from "../../robot/description/frames.ts";
import { rotate } from "../../robot/kinematics/quaternion.ts";
import { normalize } from "../../robot/kinematics/vector.ts";

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** A colour as it is in `Canvas.colours`. */
export const packed = ([red, green, blue]: Colour): number =>
  (255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red);

/** Towards the lamp; as on the dashboard. */
export const LIGHT = normalize([0.24, 0.42, 0.58]);
/** Share of the light that comes from everywhere, and of the table's light that a shadow leaves. */
export const AMBIENT = 0.5;
const SHADOW = 0.66;

/** Pixels between two rays that are computed; those between them are interpolated, since a lens bends smoothly. */
const GRID = 8;
/** The lens shows nothing farther than this from where an ideal one would, as a share of the picture's width. */
const MAX_BEND = 0.025;
/** Metres in front of the camera. */
const NEAR = 1e-3;

/** A picture with a ray for each pixel. One canvas draws many pictures, one after the other. */
export class Canvas {
  readonly lens: Lens;
  /** Red, green, blue and an unused byte for each pixel, from the top left, row by row. */
  readonly rgba: Uint8Array;
  /** The same memory, one number for each pixel. */
  readonly colours: Int32Array;
  /** Distance along the view of what each pixel shows, metres. */
  readonly depth: Float32Array;
  /** Where the lens sees each pixel: x and y in the plane z = 1 of the camera's frame. */
  readonly rays: Float32Array;
  place: CameraPlace = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };

  constructor(lens: Lens) {
    this.lens = lens;
    const pixels = lens.width * lens.height;
    this.colours = new Int32Array(pixels);
    this.rgba = new Uint8Array(this.colours.buffer);
    this.depth = new Float32Array(pixels);
    this.rays = rayTable(lens);
  }

  /** The camera's axes in the world: right, down, forward. */
  get axes(): readonly [Vec3, Vec3, Vec3] {
    const { rotation } = this.place;
    return [rotate(rotation, [1, 0, 0]), rotate(rotation, [0, 1, 0]), rotate(rotation, [0, 0, 1])];
  }

  /**
   * Calls `visit` for each pixel in which a convex body can be seen, and for some around it, with the pixel's index and
   * its ray from the camera: world frame, 1 long along the view.
   * @param corners of the body, world frame, metres
   */
  eachRay(corners: readonly Vec3[], visit: (pixel: number, ray: Vec3) => void): void {
    const { left, right, top, bottom } = this.#bounds(corners);
    const [[rx, ry, rz], [ux, uy, uz], [fx, fy, fz]] = this.axes;
    for (let v = top; v < bottom; v += 1) {
      for (let u = left; u < right; u += 1) {
        const pixel = v * this.lens.width + u;
        const x = this.rays[2 * pixel] as number;
        const y = this.rays[2 * pixel + 1] as number;
        visit(pixel, [fx + x * rx + y * ux, fy + x * ry + y * uy, fz + x * rz + y * uz]);
      }
    }
  }

  /** Darkens the pixels of the table whose entry is 1. */
  darken(inShadow: Uint8Array): void {
    inShadow.forEach((isDark, pixel) => {
      if (isDark === 0) return;
      for (let at = 4 * pixel; at < 4 * pixel + 3; at += 1) this.rgba[at] = (this.rgba[at] as number) * SHADOW;
    });
  }

  /** The pixels in which a convex body can be seen; all of them when a part of it is beside or behind the camera. */
  #bounds(corners: readonly Vec3[]) {
    const { width, height } = this.lens;
    const ideal = { ...this.lens, distortion: [] };
    const [, , forward] = this.axes;
    const { position } = this.place;
    const ahead = corners.every(
      (point) => forward.reduce((sum, f, i) => sum + f * ((point[i] as number) - (position[i] as number)), 0) > NEAR,
    );
    const seen = corners.map((corner) => projectPoint(ideal, this.place, corner));
    if (!ahead || !seen.every((pixel) => pixel !== null)) return { left: 0, right: width, top: 0, bottom: height };
    const margin = MAX_BEND * width;
    const us = seen.map(([u]) => u);
    const vs = seen.map(([, v]) => v);
    const within = (value: number, limit: number) => Math.min(limit, Math.max(0, Math.floor(value)));
    return {
      left: within(Math.min(...us) - margin, width),
      right: within(Math.max(...us) + margin + 1, width),
      top: within(Math.min(...vs) - margin, height),
      bottom: within(Math.max(...vs) + margin + 1, height),
    };
  }
}

/** The corners of a cube or square around a point: `reach` metres to each side along the given axes of the world. */
export function cornersAround([x, y, z]: Vec3, reach: readonly [number, number, number]): Vec3[] {
  const [dx, dy, dz] = reach;
  const signs = [-1, 1] as const;
  return signs.flatMap((i) => signs.flatMap((j) => signs.map((k): Vec3 => [x + i * dx, y + j * dy, z + k * dz])));
}

function rayTable(lens: Lens): Float32Array {
  const { width, height } = lens;
  const columns = Math.ceil(width / GRID) + 1;
  const rows = Math.ceil(height / GRID) + 1;
  const grid = new Float64Array(2 * columns * rows);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      grid.set(pointAtPixel(lens, [column * GRID, row * GRID]), 2 * (row * columns + column));
  const rays = new Float32Array(2 * width * height);
  for (let v = 0; v < height; v += 1) {
    for (let u = 0; u < width; u += 1) {
      const [column, row] = [Math.floor((u + 0.5) / GRID), Math.floor((v + 0.5) / GRID)];
      const [s, t] = [(u + 0.5) / GRID - column, (v + 0.5) / GRID - row];
      const at = 2 * (row * columns + column);
      for (const axis of [0, 1]) {
        const [a = 0, b = 0] = [grid[at + axis], grid[at + 2 + axis]];
        const [c = 0, d = 0] = [grid[at + 2 * columns + axis], grid[at + 2 * columns + 2 + axis]];
        rays[2 * (v * width + u) + axis] = (a * (1 - s) + b * s) * (1 - t) + (c * (1 - s) + d * s) * t;
      }
    }
  }
  return rays;
}
