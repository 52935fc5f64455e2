import fc from "fast-check";
import { expect, test } from "vitest";
import { poseDistance, poseFromRpy } from "./pose.ts";
import { nearestRigid } from "./rigid.ts";

const angle = fc.double({ min: -3, max: 3, noNaN: true });

test("a matrix that is up to 5 % off a rotation becomes that rotation but for a few degrees", () => {
  fc.assert(
    fc.property(
      angle,
      angle,
      angle,
      fc.array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), { minLength: 9, maxLength: 9 }),
      (roll, pitch, yaw, noise) => {
        const pose = poseFromRpy([0.01, -0.02, 0.03], { roll, pitch: pitch / 2, yaw });
        const rotation = [0, 1, 2, 4, 5, 6, 8, 9, 10];
        const rough = pose.map((value, index) => value + (noise[rotation.indexOf(index)] ?? 0));
        const found = nearestRigid(rough);
        if (found === undefined) throw new Error("it is near a rotation");
        expect(poseDistance(found, pose).metres).toBeLessThan(1e-9);
        expect(poseDistance(found, pose).radians).toBeLessThan(0.2);
      },
    ),
  );
});

test("a matrix whose last row is not 0, 0, 0, 1 means no pose: transposed, its translation would be lost", () => {
  const pose = poseFromRpy([0.01, 0, -0.005], { roll: 0.1, pitch: -0.2, yaw: 0.3 });
  const transposed = pose.map((_, index) => pose[4 * (index % 4) + Math.floor(index / 4)] as number);
  expect(nearestRigid(transposed)).toBeUndefined();
  expect(nearestRigid(pose.with(15, 0.99))).toBeUndefined();
  const rounded = nearestRigid(pose.with(12, 1e-4).with(15, 1 - 1e-4));
  expect(rounded?.slice(12)).toEqual([0, 0, 0, 1]);
});

test("a mirrored matrix, one of zeros and one that is not finite mean no pose", () => {
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  expect(nearestRigid(identity)).toEqual(identity);
  expect(nearestRigid(identity.with(0, -1))).toBeUndefined();
  expect(nearestRigid(identity.map(() => 0))).toBeUndefined();
  expect(nearestRigid(identity.with(3, Number.NaN))).toBeUndefined();
});
