import { expect, test } from "vitest";
import { approach } from "./rate-limits.ts";

test("a joint that is there already does not keep the others from moving", () => {
  const rates = [1, 2].map(() => ({ maxVelocity: 8, maxAcceleration: 150 }));
  const still = [0, 0];
  const next = approach(
    { positions: [1, 0], velocities: still },
    { positions: [1, 2], velocities: still },
    rates,
    0.01,
  );
  expect(next.positions[0]).toBe(1);
  expect(next.velocities[1]).toBeCloseTo(1.5);
});
