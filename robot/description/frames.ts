/**
 * Frames used everywhere: right-handed, x forward, y to the robot's left, z up; metres and radians.
 *
 * - world: on the table, its z axis is the axis the body turns about.
 * - trunk: the world turned by the body yaw.
 * - head: in the plane of the platform's ball joints; a head pose is given relative to the neutral head, which is
 *   `HEAD_HEIGHT` above the table, so that the identity is neutral.
 */

/** x, y, z. */
export type Vec3 = readonly [x: number, y: number, z: number];

/** Unit quaternion, scalar last. */
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** Rigid transform as a 4x4 matrix, row-major; translation in metres. */
// biome-ignore format: four rows of four
export type Pose = readonly [
  number, number, number, number,
  number, number, number, number,
  number, number, number, number,
  number, number, number, number,
];

/** One value for each leg of the platform, in the order stewart_1 to stewart_6. */
export type SixLegs<T = number> = readonly [T, T, T, T, T, T];

/** Makes six values from their indices: those of the legs, or the coordinates of a pose. */
export const sixValues = <T>(make: (index: 0 | 1 | 2 | 3 | 4 | 5) => T): SixLegs<T> => [
  make(0),
  make(1),
  make(2),
  make(3),
  make(4),
  make(5),
];
