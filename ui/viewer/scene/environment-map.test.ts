import fc from "fast-check";
import { DataUtils, PMREMGenerator, Texture } from "three";
import { expect, test } from "vitest";
import { createEnvironmentMap, createLobe, roughnessOf, texelDirection } from "./environment-map.ts";
import { lightFrom } from "./studio-light.ts";

const face = fc.integer({ min: 0, max: 5 });
const place = fc.double({ min: 0, max: 64, noNaN: true });

interface Level {
  data: Uint16Array;
  width: number;
}
const map = createEnvironmentMap();
const levels = (of: number) => (map.image as unknown as { mipmaps: Level[] }[])[of]?.mipmaps ?? [];
/** The light of each texel of a face. */
const lights = (of: number, level: number) => {
  const { data = new Uint16Array() } = levels(of)[level] ?? {};
  return [...data].filter((_, index) => index % 4 === 0).map((half) => DataUtils.fromHalfFloat(half));
};
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("the studio has a light above, a darker floor, soft boxes at the sides, and walls", () => {
  expect(lightFrom([0, 0, 1])).toBe(7);
  expect(lightFrom([0, 0, -1])).toBe(0.5);
  expect(lightFrom([3, 3, 1.6])).toBe(9);
  expect(lightFrom([2, -4, 1.2])).toBe(4);
  expect(lightFrom([-5, 0, 1])).toBe(2.2);
  expect(lightFrom([0, 1, 0.2])).toBeLessThan(0.1);
});

test("a panel is as wide as it is told", () => {
  expect(lightFrom([2.49, 2.49, 4])).toBe(7);
  expect(lightFrom([2.51, 0, 4])).toBeLessThan(0.1);
});

test("the places of a face look away from the middle of the cube, each into its own direction", () => {
  fc.assert(
    fc.property(face, place, place, (of, column, row) => {
      const [x, y, z] = texelDirection(of, column, row, 64);
      expect(Math.hypot(x, y, z)).toBeCloseTo(1, 9);
      // The largest part of the direction is that of the face's axis: -x, x, y, -y, z, -z in the axes of the scene.
      const parts = [-x, x, y, -y, z, -z];
      expect(parts[of]).toBeCloseTo(Math.max(...parts), 9);
    }),
  );
});

test("the shares of a lobe are 1 together, and rougher surfaces average over wider ones", () => {
  const width = (roughness: number) =>
    createLobe(roughness, 200).reduce((sum, { direction, share }) => sum + share * Math.acos(direction[2]), 0);
  for (const roughness of [0.1, 0.5, 1]) {
    const sum = createLobe(roughness, 200).reduce((total, { share }) => total + share, 0);
    expect(sum).toBeCloseTo(1, 9);
  }
  expect(width(0.1)).toBeLessThan(0.05);
  expect(width(0.5)).toBeGreaterThan(2 * width(0.1));
  expect(width(1)).toBeGreaterThan(width(0.5));
});

test("each face has four levels; the mirror shows the panels, chalk their light from above", () => {
  expect([0, 1, 2, 3, 4, 5].map((of) => levels(of).map(({ width }) => width))).toEqual(
    Array.from({ length: 6 }, () => [64, 32, 16, 8]),
  );
  expect(Math.max(...lights(4, 0))).toBe(7);
  expect(lights(4, 0)[32 * 64 + 32]).toBe(7);
  expect(mean(lights(4, 3))).toBeGreaterThan(3 * mean(lights(5, 3)));
});

test("rougher levels give the light of the whole studio as well", () => {
  const whole = [64, 32, 16, 8].map((size, level) => {
    // A texel at the corner of a face covers less of the sphere than one in its middle.
    const covers = Array.from({ length: size * size }, (_, index) => {
      const [u, v] = [index % size, Math.floor(index / size)].map((at) => (2 * (at + 0.5)) / size - 1);
      return (1 + (u ?? 0) ** 2 + (v ?? 0) ** 2) ** -1.5;
    });
    const light = [0, 1, 2, 3, 4, 5].map((of) =>
      mean(lights(of, level).map((each, index) => each * (covers[index] ?? 0))),
    );
    return mean(light) / mean(covers);
  });
  for (const light of whole) expect(Math.abs(light / (whole[0] ?? 0) - 1)).toBeLessThan(0.03);
});

test("the renderer of this version takes such a map, and reads each level for the roughness that it was made for", () => {
  const { lodToRoughness } = PMREMGenerator as unknown as { lodToRoughness(level: number, last: number): number };
  expect(new Texture()).toHaveProperty("isPMREMTexture", false);
  for (const level of [0, 1, 2, 3]) expect(roughnessOf(level)).toBeCloseTo(lodToRoughness(level, 3), 9);
});

test("a mirror reflects one direction alone", () => {
  expect(createLobe(0, 1)).toEqual([{ direction: [expect.closeTo(0), expect.closeTo(0), 1], share: 1 }]);
});
