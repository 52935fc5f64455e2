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
import { cross, type Direction, lightFrom, perpendicular } from "./studio-light.ts";

/** The levels of the map: texels along an edge of a face, and directions over which the light of a texel is averaged. */
const LEVELS = [
  { size: 64, samples: 1 },
  { size: 32, samples: 32 },
  { size: 16, samples: 96 },
  { size: 8, samples: 256 },
] as const;
/** The light of the first level is that of so many places along an edge of a texel, so that panels have smooth edges. */
const SMOOTHING = 2;
/** Radians; directions that go on around an axis by this angle are spread evenly. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** A direction relative to that of the reflection, which is [0, 0, 1], and its share of the light. */
interface Sample {
  readonly direction: Direction;
  readonly share: number;
}

/**
 * What the robot reflects: the light of the studio, averaged by level for surfaces from a mirror to chalk, as the renderer reads
 * it. Its own `PMREMGenerator` would take seconds for it on a machine without a graphics processor, most of that for shaders.
 */
export function createEnvironmentMap(): CompressedCubeTexture {
  const faces = [0, 1, 2, 3, 4, 5].map((face) => ({
    width: LEVELS[0].size,
    height: LEVELS[0].size,
    format: RGBAFormat,
    mipmaps: LEVELS.map(({ size }, level) => ({ width: size, height: size, data: createTexels(face, level) })),
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
function createTexels(face: number, level: number): Uint16Array {
  const { size, samples } = LEVELS[level] ?? LEVELS[0];
  const lobe = level === 0 ? [] : createLobe(roughnessOf(level), samples);
  const texels = new Uint16Array(4 * size * size).fill(DataUtils.toHalfFloat(1));
  for (let index = 0; index < size * size; index += 1) {
    const [column, row] = [index % size, Math.floor(index / size)];
    const light =
      level === 0
        ? smoothLight(face, column, row, size)
        : lobeLight(directionOf(face, column + 0.5, row + 0.5, size), lobe);
    texels.fill(DataUtils.toHalfFloat(light), 4 * index, 4 * index + 3);
  }
  return texels;
}

/** The roughness for which the renderer reads a level: `PMREMGenerator.lodToRoughness`. */
function roughnessOf(level: number): number {
  return 1 - Math.sqrt(1 - level / (LEVELS.length - 1));
}

/**
 * The directions from which light comes that a rough surface reflects to a viewer above it: half vectors of the GGX distribution,
 * weighted by the cosine of the light's angle. Formula: Karis, "Real Shading in Unreal Engine 4", 2013, equation 3.
 * @param roughness from 0, a mirror, to 1
 */
export function createLobe(roughness: number, count: number): Sample[] {
  const squared = roughness ** 4;
  const samples = Array.from({ length: count }, (_, index) => {
    const part = (index + 0.5) / count;
    const cosine = (2 * (1 - part)) / (1 + (squared - 1) * part) - 1;
    const sine = Math.sqrt(Math.max(0, 1 - cosine ** 2));
    const angle = index * GOLDEN_ANGLE;
    const direction: Direction = [sine * Math.cos(angle), sine * Math.sin(angle), cosine];
    return { direction, share: Math.max(0, cosine) };
  });
  const sum = samples.reduce((total, { share }) => total + share, 0);
  return samples.map(({ direction, share }) => ({ direction, share: share / sum }));
}

function lobeLight(normal: Direction, lobe: readonly Sample[]): number {
  const across = perpendicular(normal);
  const along = cross(normal, across);
  let light = 0;
  for (const { direction, share } of lobe) {
    const [u, v, w] = direction;
    light +=
      share *
      lightFrom(
        u * across[0] + v * along[0] + w * normal[0],
        u * across[1] + v * along[1] + w * normal[1],
        u * across[2] + v * along[2] + w * normal[2],
      );
  }
  return light;
}

function smoothLight(face: number, column: number, row: number, size: number): number {
  let light = 0;
  for (let place = 0; place < SMOOTHING ** 2; place += 1) {
    const right = ((place % SMOOTHING) + 0.5) / SMOOTHING;
    const down = (Math.floor(place / SMOOTHING) + 0.5) / SMOOTHING;
    light += lightFrom(...directionOf(face, column + right, row + down, size)) / SMOOTHING ** 2;
  }
  return light;
}

/**
 * The direction of a place on a face of the cube. Faces in the order of OpenGL: +x, -x, +y, -y, +z, -z. A cube map is left-handed,
 * so its x is that of the scene with the other sign (OpenGL ES 3.0.6, section 3.8.10).
 * @param column, row texels from the left and from above
 */
export function directionOf(face: number, column: number, row: number, size: number): Direction {
  const u = (2 * column) / size - 1;
  const v = (2 * row) / size - 1;
  const length = Math.hypot(1, u, v);
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
  return [-x / length, y / length, z / length];
}
