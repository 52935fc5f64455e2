import { expect, test } from "vitest";
import { cameraAtPose } from "../camera/testing/camera-at-pose.ts";
import { compose, IDENTITY, poseFrom, poseFromRpy, positionOf, rotationOf } from "../kinematics/pose.ts";
import { angleBetween, fromAxisAngle } from "../kinematics/quaternion.ts";
import { norm, subtract } from "../kinematics/vector.ts";
import { BODIES } from "./bodies.ts";
import type { Pose, Vec3 } from "./frames.ts";
import { ARM_LENGTH, HEAD_AT_ZERO, ROD_LENGTH } from "./geometry.ts";
import { JOINTS } from "./joints.ts";
import { robotUrdf } from "./urdf.ts";

interface UrdfJoint {
  name: string;
  type: string;
  parent: string;
  child: string;
  origin: Pose;
  axis: Vec3;
  limit: Record<string, number>;
}

const text = robotUrdf();
const attribute = (element: string, name: string): string => new RegExp(`${name}="([^"]*)"`).exec(element)?.[1] ?? "";
const vector = (value: string): Vec3 => value.split(" ").map(Number) as unknown as Vec3;
const links = [...text.matchAll(/<link name="([^"]+)"/g)].map((match) => match[1] ?? "");
const joints = [...text.matchAll(/<joint .*<\/joint>/g)].map(([element]): UrdfJoint => {
  const part = (tag: string) => new RegExp(`<${tag} [^>]*>`).exec(element)?.[0] ?? "";
  const [roll, pitch, yaw] = vector(attribute(part("origin"), "rpy"));
  const limit = part("limit");
  return {
    name: attribute(element, "name"),
    type: attribute(element, "type"),
    parent: attribute(part("parent"), "link"),
    child: attribute(part("child"), "link"),
    origin: poseFromRpy(vector(attribute(part("origin"), "xyz")), { roll, pitch, yaw }),
    axis: vector(attribute(part("axis"), "xyz")),
    limit: Object.fromEntries(
      ["lower", "upper", "effort", "velocity"].map((key) => [key, Number(attribute(limit, key))]),
    ),
  };
});

/** The pose of a link in the world, with these joint angles; the others are zero. */
function poseOf(link: string, angles: Readonly<Record<string, number>> = {}): Pose {
  const joint = joints.find(({ child }) => child === link);
  if (joint === undefined) return IDENTITY;
  const turn = poseFrom(
    [0, 0, 0],
    joint.type === "fixed" ? [0, 0, 0, 1] : fromAxisAngle(joint.axis, angles[joint.name] ?? 0),
  );
  return compose(poseOf(joint.parent, angles), compose(joint.origin, turn));
}
const distance = (a: Pose, b: Pose) => norm(subtract(positionOf(a), positionOf(b)));

test("it is a tree: each link but the foot is the child of one joint, and its parent exists", () => {
  expect(new Set(links).size).toBe(links.length);
  expect(new Set(joints.map(({ name }) => name)).size).toBe(joints.length);
  const children = joints.map(({ child }) => child).sort();
  expect(children).toEqual(links.filter((link) => link !== "body_foot_3dprint").sort());
  for (const { parent } of joints) expect(links).toContain(parent);
});

test("it has the nine joints with their ranges, and the masses of all parts", () => {
  for (const { name, range } of JOINTS) {
    const joint = joints.find((each) => each.name === (name === "body_yaw" ? "yaw_body" : name));
    expect(joint?.limit.lower).toBeCloseTo(range[0], 8);
    expect(joint?.limit.upper).toBeCloseTo(range[1], 8);
    expect(joint?.limit.effort).toBeGreaterThan(0);
  }
  const masses = [...text.matchAll(/<mass value="([^"]+)"/g)].map((match) => Number(match[1]));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  expect(sum(masses)).toBeCloseTo(sum(BODIES.map(({ mass }) => mass)), 9);
});

test("with every joint at zero the platform is closed, and head and camera are in their places", () => {
  for (const leg of [1, 2, 3, 4, 5]) {
    expect(distance(poseOf(`closing_${leg}_1`), poseOf(`closing_${leg}_2`))).toBeLessThan(1e-6);
    const rod = leg === 1 ? "stewart_link_rod" : `stewart_link_rod_${leg}`;
    expect(distance(poseOf(rod), poseOf(`closing_${leg}_1`))).toBeCloseTo(ROD_LENGTH, 5);
  }
  const head = poseOf("head");
  expect(distance(head, poseFrom(HEAD_AT_ZERO, [0, 0, 0, 1]))).toBeLessThan(1e-6);
  const camera = cameraAtPose(head);
  expect(norm(subtract(positionOf(poseOf("camera_optical")), camera.position))).toBeLessThan(1e-8);
  expect(angleBetween(rotationOf(poseOf("camera_optical")), camera.rotation)).toBeLessThan(1e-6);
});

test("the body's yaw turns everything above it, and an arm turns its elbow about its motor", () => {
  const [x, y] = positionOf(poseOf("stewart_link_rod", { yaw_body: Math.PI / 2 }));
  const before = positionOf(poseOf("stewart_link_rod"));
  expect([x, y]).toEqual([expect.closeTo(-before[1], 6), expect.closeTo(before[0], 6)]);
  const arm = poseOf("dc15_a01_horn_dummy");
  const turned = poseOf("stewart_link_rod", { stewart_1: 0.5 });
  expect(distance(arm, turned)).toBeCloseTo(distance(arm, poseOf("stewart_link_rod")), 8);
  expect(distance(turned, poseOf("stewart_link_rod"))).toBeCloseTo(2 * ARM_LENGTH * Math.sin(0.25), 5);
});
