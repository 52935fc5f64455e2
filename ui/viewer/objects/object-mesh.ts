import { Group, Mesh, MeshStandardMaterial, SphereGeometry } from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import type { DrawnObject } from "../../../robot/wire/scene/scene-frame.ts";

/** Edge radius of a box, metres. */
const EDGE_RADIUS = 0.004;
/** Maximum edge radius, as a share of the shortest edge. */
const EDGE_SHARE = 0.12;
const BAND_HALF_ANGLE = 0.16; // rad
const BAND_SCALE = 1.003; // avoids z-fighting

/** An object with its origin in its middle. A ball has a band that makes its rotation visible. */
export function createObjectMesh({ name, shape, color }: Omit<DrawnObject, "pose">): Group {
  const paint = new MeshStandardMaterial({ color, roughness: 0.42 });
  const root = new Group();
  root.name = name;
  if (shape.kind === "ball") {
    const { radius } = shape;
    root.add(new Mesh(new SphereGeometry(radius, 40, 28), paint));
    const start = Math.PI / 2 - BAND_HALF_ANGLE;
    const band = new SphereGeometry(radius * BAND_SCALE, 40, 4, 0, 2 * Math.PI, start, 2 * BAND_HALF_ANGLE);
    root.add(new Mesh(band, new MeshStandardMaterial({ color: "#fff6ea", roughness: 0.5 })));
  } else {
    const [x, y, z] = shape.size;
    root.add(
      new Mesh(new RoundedBoxGeometry(x, y, z, 3, Math.min(EDGE_RADIUS, EDGE_SHARE * Math.min(x, y, z))), paint),
    );
  }
  for (const part of root.children) {
    part.castShadow = true;
    part.receiveShadow = true;
  }
  return root;
}
