import { describe, expect, test } from "vitest";
import { BODIES } from "./bodies.ts";
import type { Vec3 } from "./frames.ts";
import { ARM_LENGTH, HEAD_AT_ZERO, LEFT_ANTENNA, LEGS, RIGHT_ANTENNA, ROD_LENGTH } from "./geometry.ts";
import { JOINT_NAMES, JOINTS } from "./joints.ts";
import { DEFAULT_POSE, SLEEP_POSE } from "./poses.ts";

const distance = (a: Vec3, b: Vec3) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

describe("joints", () => {
  test("are nine, in the order of the wire format, with ids in bus order", () => {
    expect(JOINTS.map((joint) => joint.name)).toEqual([...JOINT_NAMES]);
    expect(JOINTS.map((joint) => joint.id)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18]);
  });

  test.each(JOINTS)("$name: every angle in range is a position that its servo accepts", ({ range, rawRange }) => {
    const tick = (angle: number) => Math.round(((angle + Math.PI) * 4096) / (2 * Math.PI));
    expect(tick(range[0])).toBeGreaterThanOrEqual(rawRange[0]);
    expect(tick(range[1])).toBeLessThanOrEqual(rawRange[1]);
  });
});

describe("geometry", () => {
  test.each(LEGS.map((leg, index) => ({ ...leg, name: `leg ${index + 1}` })))(
    "$name: rod and arm have their lengths with every joint at zero",
    (leg) => {
      const ball: Vec3 = [leg.ball[0], leg.ball[1], leg.ball[2] + HEAD_AT_ZERO[2]];
      const arm: Vec3 = [leg.elbow[0] - leg.motor[0], leg.elbow[1] - leg.motor[1], leg.elbow[2] - leg.motor[2]];
      expect(distance(ball, leg.elbow)).toBeCloseTo(ROD_LENGTH, 6);
      expect(Math.sqrt(dot(arm, arm) - dot(arm, leg.axis) ** 2)).toBeCloseTo(ARM_LENGTH, 8);
      expect(dot(leg.axis, leg.axis)).toBeCloseTo(1, 6);
    },
  );

  test("the antennas are mirror images", () => {
    const mirrored = ([x, y, z]: Vec3): Vec3 => [x, -y, z];
    expect(distance(RIGHT_ANTENNA.anchor, mirrored(LEFT_ANTENNA.anchor))).toBeLessThan(1e-6);
    expect(distance(RIGHT_ANTENNA.axis, mirrored(LEFT_ANTENNA.axis))).toBeLessThan(1e-6);
  });
});

describe("bodies", () => {
  test.each(BODIES)("$name is a possible rigid body", ({ mass, moments: [a, b, c], principalAxes }) => {
    expect(mass).toBeGreaterThan(0);
    expect(a + b).toBeGreaterThanOrEqual(c);
    expect(b + c).toBeGreaterThanOrEqual(a);
    expect(c + a).toBeGreaterThanOrEqual(b);
    expect(Math.hypot(...principalAxes)).toBeCloseTo(1, 6);
  });

  test("occur once each and weigh as much as the robot", () => {
    expect(new Set(BODIES.map((body) => body.name)).size).toBe(17);
    expect(BODIES.reduce((sum, body) => sum + body.mass, 0)).toBeCloseTo(1.1765, 3);
  });
});

describe("poses", () => {
  test.each([DEFAULT_POSE, SLEEP_POSE])("have rigid heads", ({ head: m }) => {
    for (const row of [0, 4, 8]) expect(Math.hypot(m[row]!, m[row + 1]!, m[row + 2]!)).toBeCloseTo(1, 2);
    expect(m.slice(12)).toEqual([0, 0, 0, 1]);
  });
});
