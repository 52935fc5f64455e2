import {
  CompressedCubeTexture,
  type CompressedPixelFormat,
  CubeReflectionMapping,
  DataUtils,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  RGBAFormat,
} from "three";
import type { Vec3 } from "../../../robot/description/frames.ts";
import { cross, scale } from "../../../robot/kinematics/vector.ts";
import { lightFrom, perpendicular } from "./studio-light.ts";

/**
 * The levels of the map, from a mirror to chalk: texels along an edge of a face, places along an edge of a texel, and directions
 * of light that are averaged for each place. Of a mirror, more places give the panels smooth edges. With half the directions, stains
 * show on the white shell.
 */
const LEVELS = [
  { size: 64, places: 2, directions: 1 },
  { size: 32, places: 1, directions: 32 },
  { size: 16, places: 1, directions: 128 },
  { size: 8, places: 1, directions: 512 },
] as const;
/** Radians; directions that go on around an axis by this angle are spread evenly. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Light from a direction, relative to that which a mirror would reflect, [0, 0, 1]; and its share of the whole. */
interface Incidence {
  readonly direction: Vec3;
  readonly share: number;
}

/**
 * What the robot reflects: the light of the studio, averaged by level for surfaces from a mirror to chalk, as the renderer reads
 * it. Its own `PMREMGenerator` would take seconds for it on a machine without a graphics processor, most of that for shaders.
 */
export function createEnvironmentMap(): CompressedCubeTexture {
  const levels = LEVELS.map((level, index) => ({ ...level, lobe: createLobe(roughnessOf(index), level.directions) }));
  const faces = [0, 1, 2, 3, 4, 5].map((face) => ({
    width: LEVELS[0].size,
    height: LEVELS[0].size,
    format: RGBAFormat,
    mipmaps: levels.map(({ size, places, lobe }) => {
      const data = createTexels(size, (column, row) => texelLight(face, column, row, size, places, lobe));
      return { width: size, height: size, data };
    }),
  }));
  // Of a texture whose levels are given, only one of compressed ones counts the first; it may be of uncompressed texels.
  const format = RGBAFormat as unknown as CompressedPixelFormat;
  const texture = new CompressedCubeTexture(faces, format, HalfFloatType);
  texture.mapping = CubeReflectionMapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.isPMREMTexture = true;
  texture.needsUpdate = true;
  return texture;
}

/** Red, green, blue and alpha of each texel of a face, row by row from above; half floats. */
function createTexels(size: number, light: (column: number, row: number) => number): Uint16Array {
  const texels = new Uint16Array(4 * size * size).fill(DataUtils.toHalfFloat(1));
  for (let index = 0; index < size * size; index += 1)
    texels.fill(DataUtils.toHalfFloat(light(index % size, Math.floor(index / size))), 4 * index, 4 * index + 3);
  return texels;
}

/** The roughness for which the renderer reads a level: `PMREMGenerator.lodToRoughness`. */
export function roughnessOf(level: number): number {
  return 1 - Math.sqrt(1 - level / (LEVELS.length - 1));
}

/**
 * The light that a rough surface reflects to a viewer above it: half vectors of the GGX distribution, weighted by the cosine of
 * the light's angle. Formula: Karis, "Real Shading in Unreal Engine 4", 2013.
 * @param roughness from 0, a mirror, to 1
 */
export function createLobe(roughness: number, count: number): Incidence[] {
  const squared = roughness ** 4;
  const incidences = Array.from({ length: count }, (_, index): Incidence => {
    const part = (index + 0.5) / count;
    const cosine = (2 * (1 - part)) / (1 + (squared - 1) * part) - 1;
    const sine = Math.sqrt(Math.max(0, 1 - cosine ** 2));
    const angle = index * GOLDEN_ANGLE;
    return { direction: [sine * Math.cos(angle), sine * Math.sin(angle), cosine], share: Math.max(0, cosine) };
  });
  const sum = incidences.reduce((total, { share }) => total + share, 0);
  return incidences.map(({ direction, share }) => ({ direction, share: share / sum }));
}

function texelLight(
  face: number,
  column: number,
  row: number,
  size: number,
  places: number,
  lobe: readonly Incidence[],
): number {
  let light = 0;
  for (let place = 0; place < places ** 2; place += 1) {
    const right = ((place % places) + 0.5) / places;
    const down = (Math.floor(place / places) + 0.5) / places;
    light += reflectedLight(texelDirection(face, column + right, row + down, size), lobe) / places ** 2;
  }
  return light;
}

function reflectedLight(normal: Vec3, lobe: readonly Incidence[]): number {
  const across = perpendicular(normal);
  const along = cross(normal, across);
  let light = 0;
  for (const { direction, share } of lobe) {
    const [u, v, w] = direction;
    // By axis, without vectors in between: this runs 700,000 times before the first picture.
    const x = u * across[0] + v * along[0] + w * normal[0];
    const y = u * across[1] + v * along[1] + w * normal[1];
    const z = u * across[2] + v * along[2] + w * normal[2];
    light += share * lightFrom([x, y, z]);
  }
  return light;
}

/**
 * The unit vector to a place on a face of the cube. Faces in the order of OpenGL: +x, -x, +y, -y, +z, -z. A cube map is
 * left-handed, so its x is that of the scene with the other sign (OpenGL ES 3.0, "Cube Map Texture Selection").
 * @param column, row texels from the left and from above
 */
export function texelDirection(face: number, column: number, row: number, size: number): Vec3 {
  const u = (2 * column) / size - 1;
  const v = (2 * row) / size - 1;
  const [x, y, z] = (
    [
      [1, -v, -u],
      [-1, -v, u],
      [u, 1, v],
      [u, -1, -v],
      [u, -v, 1],
      [-u, -v, -1],
    ] as const
  )[face] ?? [1, 0, 0];
  return scale([-x, y, z], 1 / Math.sqrt(1 + u * u + v * v));
}
