import type { Vec3 } from "../../../robot/description/frames.ts";
import { cross, dot, norm, normalize } from "../../../robot/kinematics/vector.ts";

/** A rectangle that gives light, seen from the middle of the studio, which it faces. */
interface Panel {
  /** Relative to white. */
  readonly light: number;
  /** Half of its size along its own axes, metres. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** From the middle to its centre: a unit vector, and metres. */
  readonly towards: Vec3;
  readonly distance: number;
  /** Unit vectors along its width and its height. */
  readonly across: Vec3;
  readonly along: Vec3;
}

/** What comes from where no panel is. */
const WALLS = 0.095;

/** A ceiling light, two soft boxes, a tall panel behind, and a floor. */
const PANELS: readonly Panel[] = [
  createPanel(7, 5, 5, [0, 0, 4]),
  createPanel(9, 1.6, 3.4, [3, 3, 1.6]),
  createPanel(4, 1.6, 3.4, [2, -4, 1.2]),
  createPanel(2.2, 6, 2, [-5, 0, 1]),
  createPanel(0.5, 12, 12, [0, 0, -2.5]),
];

/**
 * The light that comes to the middle of the studio from a direction; 1 is white.
 * @param direction a unit vector in the axes of the scene: x, y, z up
 */
export function lightFrom(direction: Vec3): number {
  for (const { towards, distance, across, along, halfWidth, halfHeight, light } of PANELS) {
    const facing = dot(direction, towards);
    if (facing <= 0) continue;
    const scale = distance / facing;
    if (Math.abs(dot(direction, across)) * scale > halfWidth) continue;
    if (Math.abs(dot(direction, along)) * scale <= halfHeight) return light;
  }
  return WALLS;
}

function createPanel(light: number, width: number, height: number, centre: Vec3): Panel {
  const towards = normalize(centre);
  const across = perpendicular(towards);
  const along = cross(towards, across);
  return { light, halfWidth: width / 2, halfHeight: height / 2, towards, distance: norm(centre), across, along };
}

/** A unit vector at right angles to `direction`; it lies in the plane of x and z. */
export function perpendicular([x, , z]: Vec3): Vec3 {
  return x === 0 && z === 0 ? [1, 0, 0] : normalize([-z, 0, x]);
}
