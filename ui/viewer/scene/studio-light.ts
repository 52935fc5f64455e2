/** A unit vector: x, y, z in the axes of the scene, z up. */
export type Direction = readonly [number, number, number];

/** A rectangle that gives light, seen from the middle of the studio, which it faces. */
interface Panel {
  /** Relative to white. */
  readonly light: number;
  /** Half of its size along its own axes, metres. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** From the middle to its centre: a direction, and metres. */
  readonly towards: Direction;
  readonly distance: number;
  readonly across: Direction;
  readonly along: Direction;
}

/** What comes from where no panel is. */
const WALLS = 0.095;

/** A ceiling light, two soft boxes, a wide panel behind, and a floor. */
const PANELS: readonly Panel[] = [
  createPanel(7, 5, 5, [0, 0, 4]),
  createPanel(9, 1.6, 3.4, [3, 3, 1.6]),
  createPanel(4, 1.6, 3.4, [2, -4, 1.2]),
  createPanel(2.2, 6, 2, [-5, 0, 1]),
  createPanel(0.5, 12, 12, [0, 0, -2.5]),
];

/** The light that comes to the middle of the studio from a direction; 1 is white. */
export function lightFrom(x: number, y: number, z: number): number {
  for (const { towards, distance, across, along, halfWidth, halfHeight, light } of PANELS) {
    const facing = x * towards[0] + y * towards[1] + z * towards[2];
    if (facing <= 0) continue;
    const scale = distance / facing;
    if (Math.abs(x * across[0] + y * across[1] + z * across[2]) * scale > halfWidth) continue;
    if (Math.abs(x * along[0] + y * along[1] + z * along[2]) * scale <= halfHeight) return light;
  }
  return WALLS;
}

function createPanel(light: number, width: number, height: number, centre: Direction): Panel {
  const distance = Math.hypot(...centre);
  const towards: Direction = [centre[0] / distance, centre[1] / distance, centre[2] / distance];
  const across = perpendicular(towards);
  return {
    light,
    halfWidth: width / 2,
    halfHeight: height / 2,
    towards,
    distance,
    across,
    along: cross(towards, across),
  };
}

/** A unit vector at right angles to `direction`; it lies in the plane of x and z unless that is the direction's own. */
export function perpendicular([x, , z]: Direction): Direction {
  const length = Math.hypot(x, z);
  return length === 0 ? [1, 0, 0] : [-z / length, 0, x / length];
}

export function cross(a: Direction, b: Direction): Direction {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
