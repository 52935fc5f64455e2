import { poseFrom, rpyOf } from "../kinematics/pose.ts";
import { add, subtract } from "../kinematics/vector.ts";
import { MODELS } from "../servo/registers/models.ts";
import { BODIES, type Body, type BodyName, bodyOf, LEG_NUMBERS, type LegNumber } from "./bodies.ts";
import type { Quaternion, Vec3 } from "./frames.ts";
import { CAMERA, LEFT_ANTENNA, LEGS, RIGHT_ANTENNA } from "./geometry.ts";
import { JOINTS, type JointName } from "./joints.ts";

/** Names of the public robot's URDF for our parts; link and joint names are those of programs that read it. */
const LINKS: Readonly<Record<BodyName, string>> = {
  foot: "body_foot_3dprint",
  trunk: "body_down_3dprint",
  arm_1: "dc15_a01_horn_dummy",
  arm_2: "dc15_a01_horn_dummy_2",
  arm_3: "dc15_a01_horn_dummy_3",
  arm_4: "dc15_a01_horn_dummy_4",
  arm_5: "dc15_a01_horn_dummy_5",
  arm_6: "dc15_a01_horn_dummy_6",
  rod_1: "stewart_link_rod",
  rod_2: "stewart_link_rod_2",
  rod_3: "stewart_link_rod_3",
  rod_4: "stewart_link_rod_4",
  rod_5: "stewart_link_rod_5",
  rod_6: "stewart_link_rod_6",
  head: "xl_330",
  right_antenna: "dc15_a01_horn_dummy_7",
  left_antenna: "dc15_a01_horn_dummy_8",
};
const NAME_OF_BODY_YAW = "yaw_body";

/** Of the ball joints, which no motor turns. */
const FREE = { lower: -Math.PI, upper: Math.PI, effort: 0, velocity: 100 };
const NO_ROTATION: Quaternion = [0, 0, 0, 1];
/** The tree reaches the head through the last leg; the ends of the others are marked by pairs of links. */
const CLOSED_LEGS = [1, 2, 3, 4, 5] as const;

/**
 * The robot as URDF: masses, joints, limits and frames, without shapes. With every joint at zero all links but the
 * camera's are parallel to the world. URDF knows no closed loops: a program that moves the platform has to keep the link
 * `closing_N_1` (at the end of rod N) and `closing_N_2` (on the head) together, for legs 1 to 5.
 */
export function robotUrdf(): string {
  const ball = ballOf(6);
  const elements = [
    ...BODIES.map((body) => linkOf(body, body.name === "head" ? subtract(body.origin, ball) : [0, 0, 0])),
    servoJoint("body_yaw", "foot", "trunk", subtract(originOf("trunk"), originOf("foot")), [0, 0, 1]),
    ...LEG_NUMBERS.flatMap((leg) => [
      servoJoint(
        `stewart_${leg}`,
        "trunk",
        `arm_${leg}`,
        subtract(originOf(`arm_${leg}`), originOf("trunk")),
        LEGS[leg - 1]?.axis as Vec3,
      ),
      ...ballJoint(
        leg,
        LINKS[`arm_${leg}`],
        LINKS[`rod_${leg}`],
        subtract(originOf(`rod_${leg}`), originOf(`arm_${leg}`)),
      ),
    ]),
    ...ballJoint(7, LINKS.rod_6, LINKS.head, subtract(ball, originOf("rod_6"))),
    ...CLOSED_LEGS.flatMap((leg) => [
      ...frame(`closing_${leg}_1`, LINKS[`rod_${leg}`], subtract(ballOf(leg), originOf(`rod_${leg}`))),
      ...frame(`closing_${leg}_2`, LINKS.head, subtract(ballOf(leg), ball)),
    ]),
    ...frame("head", LINKS.head, subtract(originOf("head"), ball)),
    ...frame("camera_optical", "head", CAMERA.position, CAMERA.rotation),
    servoJoint("right_antenna", "head", "right_antenna", subtract(originOf("right_antenna"), ball), RIGHT_ANTENNA.axis),
    servoJoint("left_antenna", "head", "left_antenna", subtract(originOf("left_antenna"), ball), LEFT_ANTENNA.axis),
  ];
  return `<?xml version="1.0"?>\n<robot name="reachy_mini">\n${elements.join("\n")}\n</robot>\n`;
}

/** World frame, every joint at zero. */
const originOf = (name: BodyName): Vec3 => bodyOf(name).origin;
/** The ball joint between a rod and the head: world frame, every joint at zero. */
const ballOf = (leg: LegNumber): Vec3 => add(originOf("head"), LEGS[leg - 1]?.ball as Vec3);

const numbers = (values: readonly number[]): string => values.map((value) => Number(value.toFixed(9))).join(" ");

function place(position: Vec3, rotation: Quaternion = NO_ROTATION): string {
  const { roll, pitch, yaw } = rpyOf(poseFrom([0, 0, 0], rotation));
  return `<origin xyz="${numbers(position)}" rpy="${numbers([roll, pitch, yaw])}"/>`;
}

/** @param shift from the link's frame to the body's origin, metres */
function linkOf({ name, mass, centre, moments: [xx, yy, zz], principalAxes }: Body, shift: Vec3): string {
  const inertia = `<inertia ixx="${xx}" ixy="0" ixz="0" iyy="${yy}" iyz="0" izz="${zz}"/>`;
  const inertial = `<inertial>${place(add(shift, centre), principalAxes)}<mass value="${mass}"/>${inertia}</inertial>`;
  return `  <link name="${LINKS[name]}">${inertial}</link>`;
}

const servoJoint = (name: JointName, parent: BodyName, child: BodyName, at: Vec3, axis: Vec3): string => {
  const { range, model, maxVelocity } = JOINTS.find((joint) => joint.name === name) as (typeof JOINTS)[number];
  const limit = { lower: range[0], upper: range[1], effort: MODELS[model].stallTorque, velocity: maxVelocity };
  const title = name === "body_yaw" ? NAME_OF_BODY_YAW : name;
  return revolute(title, LINKS[parent], LINKS[child], at, axis, limit);
};

function revolute(name: string, parent: string, child: string, at: Vec3, axis: Vec3, limit: typeof FREE): string {
  const attributes = Object.entries(limit).map(([key, value]) => `${key}="${numbers([value])}"`);
  const ends = `<parent link="${parent}"/><child link="${child}"/><axis xyz="${numbers(axis)}"/>`;
  return `  <joint name="${name}" type="revolute">${place(at)}${ends}<limit ${attributes.join(" ")}/></joint>`;
}

/** A ball joint as three turns about x, y and z, with links without mass between them. */
function ballJoint(index: number, parent: string, child: string, at: Vec3): string[] {
  const [x, y] = [`passive_${index}_link_x`, `passive_${index}_link_y`];
  return [
    `  <link name="${x}"/>`,
    `  <link name="${y}"/>`,
    revolute(`passive_${index}_x`, parent, x, at, [1, 0, 0], FREE),
    revolute(`passive_${index}_y`, x, y, [0, 0, 0], [0, 1, 0], FREE),
    revolute(`passive_${index}_z`, y, child, [0, 0, 0], [0, 0, 1], FREE),
  ];
}

/** A link without mass, fixed to another. */
const frame = (name: string, parent: string, at: Vec3, rotation: Quaternion = NO_ROTATION): string[] => [
  `  <link name="${name}"/>`,
  `  <joint name="${name}_frame" type="fixed">${place(at, rotation)}<parent link="${parent}"/><child link="${name}"/></joint>`,
];
