import { CylinderGeometry, Group, Mesh, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Vec3 } from "../../../robot/description/frames.ts";
import {
  HEAD_HEIGHT,
  LEFT_ANTENNA,
  LEGS,
  type Leg,
  RIGHT_ANTENNA,
  ROD_LENGTH,
} from "../../../robot/description/geometry.ts";
import type { Frame } from "../frames/frame.ts";
import { createAntenna } from "./antenna.ts";
import { createBody, createFoot, createServo } from "./body.ts";
import { createHead } from "./head.ts";
import { createMaterials, EYE_COLOURS, type Glow } from "./materials.ts";

const vector = (values: Vec3) => new Vector3(...values);

/** The whole robot on the table, z up; `apply` places and poses it. */
export function createRobotModel() {
  const materials = createMaterials();
  const root = new Group();
  const trunk = createBody(materials);
  const head = createHead(materials);
  const arms = LEGS.map((leg) => createArm(leg));
  const rods = LEGS.map(() => createRod());
  const antennas = [
    { mount: RIGHT_ANTENNA, group: createAntenna(materials, "right_antenna", vector(RIGHT_ANTENNA.axis)) },
    { mount: LEFT_ANTENNA, group: createAntenna(materials, "left_antenna", vector(LEFT_ANTENNA.axis)) },
  ];
  for (const { mount, group } of antennas) group.position.copy(vector(mount.anchor));
  head.group.add(...antennas.map(({ group }) => group));
  trunk.add(...arms);
  root.add(createFoot(materials), trunk, head.group, ...rods);
  root.traverse((part) => {
    part.castShadow = !(part instanceof Mesh && part.material === materials.collar);
    part.receiveShadow = true;
  });

  function createArm(leg: Leg): Group {
    const arm = new Group();
    arm.position.copy(vector(leg.motor));
    const elbow = vector(leg.elbow).sub(arm.position);
    const axis = vector(leg.axis);
    const along = axis.dot(elbow);
    const hub = new Mesh(new CylinderGeometry(0.0078, 0.0078, 0.004, 32), materials.mechanics);
    hub.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), axis);
    hub.position.copy(axis).multiplyScalar(along * 0.55);
    const bar = createBar(
      new Vector3().addScaledVector(axis, along * 0.55),
      elbow.clone().addScaledVector(axis, -along * 0.45),
      0.0036,
      materials.accent,
    );
    const joint = new Mesh(new SphereGeometry(0.0048, 24, 16), materials.brass);
    joint.position.copy(elbow);
    const turning = new Group();
    turning.add(hub, bar, joint);
    const servo = createServo(materials);
    servo.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), axis.clone().multiplyScalar(Math.sign(along)));
    arm.add(turning, servo);
    return arm;
  }

  function createRod(): Group {
    const rod = new Group();
    rod.name = "rod";
    const bar = new Mesh(new CylinderGeometry(0.0021, 0.0021, ROD_LENGTH, 16), materials.steel);
    bar.position.y = ROD_LENGTH / 2;
    const cup = new Mesh(new CylinderGeometry(0.0033, 0.0033, 0.012, 20), materials.mechanics);
    cup.position.y = 0.01;
    const upper = cup.clone();
    upper.position.y = ROD_LENGTH - 0.01;
    const ball = new Mesh(new SphereGeometry(0.0042, 24, 16), materials.brass);
    ball.position.y = ROD_LENGTH;
    rod.add(bar, cup, upper, ball);
    return rod;
  }

  const turn = new Quaternion();
  return {
    root,
    /** The bodies that a person can push, inner ones first: antennas and head. */
    pushable: [...antennas.map(({ group }) => group), head.group],
    apply(frame: Frame): void {
      root.position.fromArray([...frame.footPosition]);
      root.quaternion.fromArray([...frame.footRotation]);
      trunk.rotation.z = frame.bodyYaw;
      const [x = 0, y = 0, z = 0] = frame.headPosition;
      head.group.position.set(x, y, z + HEAD_HEIGHT);
      head.group.quaternion.fromArray([...frame.headRotation]);
      antennas.forEach(({ mount, group }, i) => {
        group.quaternion.setFromAxisAngle(vector(mount.axis), frame.antennas[i] ?? 0);
      });
      root.updateMatrixWorld(true);
      LEGS.forEach((leg, i) => {
        const arm = arms[i];
        const rod = rods[i];
        if (arm === undefined || rod === undefined) return;
        turn.setFromAxisAngle(vector(leg.axis), frame.stewart[i] ?? 0);
        arm.children[0]?.quaternion.copy(turn);
        const inTrunk = vector(leg.elbow).sub(arm.position).applyQuaternion(turn).add(arm.position);
        const elbow = root.worldToLocal(trunk.localToWorld(inTrunk));
        const ball = root.worldToLocal(head.group.localToWorld(vector(leg.ball)));
        rod.position.copy(elbow);
        rod.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), ball.sub(elbow).normalize());
      });
    },
    setEyelids: head.setEyelids,
    setGlow: (glow: Glow) => materials.iris.color.copy(EYE_COLOURS[glow]),
  };
}

function createBar(from: Vector3, to: Vector3, radius: number, material: Mesh["material"]): Mesh {
  const reach = to.clone().sub(from);
  const bar = new Mesh(new CylinderGeometry(radius, radius, reach.length(), 20), material);
  bar.position.copy(from).addScaledVector(reach, 0.5);
  bar.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), reach.normalize());
  return bar;
}
