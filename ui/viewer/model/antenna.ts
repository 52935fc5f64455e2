import { CylinderGeometry, Group, Matrix4, Mesh, SphereGeometry, Vector3 } from "three";
import type { Materials } from "./materials.ts";
import { helixPoints, wire } from "./shapes.ts";

/** Metres: how far beside its motor an antenna stands, its spring and its wand. */
const STANDOFF = 0.0088;
const SPRING = { radius: 0.0034, length: 0.02, turns: 6 };
const WAND = { length: 0.076, bend: 0.009 };

/**
 * One antenna at the origin of its motor: z along the wand at angle 0, x along the joint's axis. A socket, a helixPoints
 * spring and a curved wand with a coloured tip.
 */
export function createAntenna(materials: Materials, name: string, axis: Vector3): Group {
  const antenna = new Group();
  antenna.name = name;
  const stand = new Group();
  const up = new Vector3(0, 0, 1).addScaledVector(axis, -axis.z).normalize();
  stand.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(axis, up.clone().cross(axis), up));
  const socket = new Mesh(new CylinderGeometry(0.0068, 0.0068, 0.011, 32).rotateZ(Math.PI / 2), materials.mechanics);
  socket.position.x = -STANDOFF / 2;
  const wand = new Group();
  wand.position.x = -STANDOFF;
  const hub = new Mesh(new SphereGeometry(0.0058, 24, 16), materials.accent);
  const spring = new Mesh(
    wire(helixPoints(SPRING.radius, SPRING.length, SPRING.turns), 0.00085, SPRING.turns * 22),
    materials.steel,
  );
  const outward = Math.sign(axis.y) * -1;
  const curve = Array.from({ length: 9 }, (_, step) => {
    const share = step / 8;
    return new Vector3(0, outward * WAND.bend * share * share, SPRING.length * 0.8 + WAND.length * share);
  });
  const rod = new Mesh(wire(curve, 0.0017, 32), materials.mechanics);
  const tip = new Mesh(new SphereGeometry(0.0062, 32, 20), materials.accent);
  tip.position.copy(curve.at(-1) ?? new Vector3());
  wand.add(hub, spring, rod, tip);
  stand.add(socket, wand);
  antenna.add(stand);
  return antenna;
}
