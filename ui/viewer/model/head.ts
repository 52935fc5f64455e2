import { CylinderGeometry, Group, Mesh, SphereGeometry, TorusGeometry, Vector3 } from "three";
import type { Materials } from "./materials.ts";
import {
  frontPoint,
  panelGeometry,
  type Superellipsoid,
  superellipsoidGeometry,
  surfaceNormal,
  wire,
} from "./shapes.ts";

/** The head shell about its centre, which sits `CENTRE` above the platform; metres. */
const SHELL: Superellipsoid = { x: 0.057, y: 0.07, z: 0.052, power: 2.6 };
const CENTRE = 0.051;
const VISOR = { halfWidth: 0.0555, halfHeight: 0.0305, rise: 0.002, power: 3.2 };
const EYE = { y: 0.0262, z: 0.003, radius: 0.0165 };

/** The head; origin and axes of its group: the platform's middle, x forward, y left, z up. */
export function createHead(materials: Materials) {
  const group = new Group();
  group.name = "head";
  const skull = new Group();
  skull.position.z = CENTRE;
  skull.add(
    new Mesh(superellipsoidGeometry(SHELL), materials.shell),
    new Mesh(panelGeometry(SHELL, VISOR, 0.0012), materials.visor),
  );
  const eyes = [1, -1].map((side) => createEye(materials, side));
  for (const eye of eyes) skull.add(eye.group);
  group.add(skull, createPlatform(materials));
  return {
    group,
    /** 0 is open, 1 is closed. */
    setEyelids(closed: number): void {
      for (const eye of eyes) eye.lid.rotation.y = Math.PI * (closed - 0.5);
    },
  };
}

/** The plate that the six rods carry, with a short neck into the shell. */
function createPlatform(materials: Materials): Group {
  const platform = new Group();
  platform.name = "platform";
  const plate = new Mesh(new CylinderGeometry(0.037, 0.037, 0.004, 48).rotateX(Math.PI / 2), materials.mechanics);
  const neck = new Mesh(new CylinderGeometry(0.036, 0.031, 0.014, 48).rotateX(Math.PI / 2), materials.mechanics);
  neck.position.z = 0.008;
  platform.add(plate, neck);
  return platform;
}

/** A flattened ball behind the visor: lens, glowing iris, a glint, and a lid that turns over it from behind. */
function createEye(materials: Materials, side: number): { group: Group; lid: Mesh } {
  const group = new Group();
  group.name = "eye";
  const at = frontPoint(SHELL, EYE.y * side, EYE.z);
  const facing = surfaceNormal(SHELL, at)
    .lerp(new Vector3(1, 0, 0), 0.55)
    .normalize();
  group.position.copy(at).addScaledVector(facing, 0.0006);
  group.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), facing);
  const ball = new Group();
  ball.scale.x = 0.5;
  const { radius } = EYE;
  const lens = new Mesh(new SphereGeometry(radius, 48, 32), materials.lens);
  const iris = new Mesh(ring(radius * 0.6, radius * 0.085), materials.iris);
  iris.position.x = radius * 0.79;
  const glint = new Mesh(new SphereGeometry(radius * 0.14, 16, 12), materials.glint);
  glint.position.set(radius * 0.84, radius * 0.3, radius * 0.42);
  glint.scale.x = 0.5;
  const lid = new Mesh(new SphereGeometry(radius * 1.09, 48, 20, 0, 2 * Math.PI, 0, Math.PI / 2), materials.trim);
  lid.geometry.rotateX(Math.PI / 2);
  lid.add(new Mesh(wire(lashes(radius * 1.1), radius * 0.05, 24), materials.mechanics));
  ball.add(lens, iris, glint, lid);
  const bezel = new Mesh(ring(radius * 1.09, radius * 0.13), materials.steel);
  group.add(ball, bezel);
  return { group, lid };
}

/** The curve of a closed eye on the lid: its pole, local z, looks forward when it is shut, and local x down. */
function lashes(radius: number): Vector3[] {
  return Array.from({ length: 9 }, (_, step) => {
    const across = (step / 4 - 1) * 0.62;
    const drop = 0.08 + 0.26 * (1 - (across / 0.62) ** 2);
    return new Vector3(drop, across, 1).normalize().multiplyScalar(radius);
  });
}

/** A torus that faces forward (x). */
function ring(radius: number, thickness: number): TorusGeometry {
  return new TorusGeometry(radius, thickness, 16, 64).rotateY(Math.PI / 2) as TorusGeometry;
}
