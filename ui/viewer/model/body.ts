import {
  BoxGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  Quaternion,
  TorusGeometry,
  Vector3,
} from "three";
import type { Materials } from "./materials.ts";
import { lathe } from "./shapes.ts";

/** [radius, height] in metres: the cup from its foot gap over the belly to the rim and down inside to its floor. */
const CUP = [
  [0.047, 0.0165],
  [0.062, 0.0195],
  [0.0725, 0.03],
  [0.0775, 0.0475],
  [0.0778, 0.066],
  [0.0755, 0.084],
  [0.0722, 0.0985],
  [0.0708, 0.1008],
  [0.0692, 0.1002],
  [0.0688, 0.098],
  [0.0705, 0.075],
  [0.068, 0.05],
] as const;
const COLLAR = [
  [0.0702, 0.1],
  [0.0694, 0.113],
  [0.07, 0.1245],
  [0.0694, 0.1262],
  [0.0682, 0.1252],
] as const;
const FOOT = [
  [0, 0],
  [0.055, 0],
  [0.0575, 0.0012],
  [0.0585, 0.004],
  [0.0575, 0.0085],
  [0.053, 0.0125],
  [0.047, 0.0135],
  [0, 0.0135],
] as const;

/** The foot on the table; it does not turn. */
export function createFoot(materials: Materials): Group {
  const foot = new Group();
  foot.name = "foot";
  const bearing = new Mesh(new CylinderGeometry(0.046, 0.046, 0.008, 64).rotateX(Math.PI / 2), materials.steel);
  bearing.position.z = 0.015;
  foot.add(new Mesh(lathe(FOOT, 64), materials.mechanics), bearing);
  return foot;
}

/** The turning body: a shell with a speaker in front, a see-through collar, and a dark floor inside. */
export function createBody(materials: Materials): Group {
  const body = new Group();
  body.name = "body";
  const floor = new Mesh(new CylinderGeometry(0.066, 0.066, 0.004, 64).rotateX(Math.PI / 2), materials.mechanics);
  floor.position.z = 0.052;
  const collar = new Mesh(lathe(COLLAR, 32), materials.collar);
  collar.castShadow = false;
  const band = new Mesh(new TorusGeometry(0.0773, 0.0012, 12, 128), materials.accent);
  band.position.z = 0.046;
  body.add(new Mesh(lathe(CUP, 96), materials.shell), floor, collar, createSpeaker(materials), band);
  return body;
}

/** Three rows of dark holes on the belly's front, so that one sees which way the body faces. */
function createSpeaker(materials: Materials): InstancedMesh {
  const holes = [0, 1, 2].flatMap((row) => {
    const count = row === 1 ? 7 : 6;
    return Array.from({ length: count }, (_, column) => ({
      turn: (column - (count - 1) / 2) * 0.085,
      height: 0.0715 + (row - 1) * 0.0062,
    }));
  });
  const disc = new CylinderGeometry(0.0016, 0.0016, 0.0007, 16).rotateZ(Math.PI / 2);
  const speaker = new InstancedMesh(disc, materials.mechanics, holes.length);
  holes.forEach(({ turn, height }, index) => {
    const radius = 0.0778 - (height - 0.064) ** 2 * 6;
    const place = new Vector3(radius * Math.cos(turn), radius * Math.sin(turn), height);
    const facing = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), turn);
    speaker.setMatrixAt(index, new Matrix4().compose(place, facing, new Vector3(1, 1, 1)));
  });
  return speaker;
}

/** A servo's case; its shaft leaves at the origin along x. */
export function createServo(materials: Materials): Mesh {
  const box = new BoxGeometry(0.019, 0.0185, 0.03);
  box.translate(-0.0105, 0, -0.006);
  return new Mesh(box, materials.servo);
}
