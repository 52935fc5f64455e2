import { BufferAttribute, BufferGeometry, CatmullRomCurve3, TubeGeometry, Vector3 } from "three";

/** Half axes in metres (x forward, y left, z up) and exponent: 2 is an ellipsoid, larger is boxier. */
export interface Superellipsoid {
  x: number;
  y: number;
  z: number;
  power: number;
}

/** The point where a ray from the centre along `direction` leaves the solid. */
function surfaceAlong(solid: Superellipsoid, direction: Vector3): Vector3 {
  const { x, y, z, power } = solid;
  const sum =
    Math.abs(direction.x / x) ** power + Math.abs(direction.y / y) ** power + Math.abs(direction.z / z) ** power;
  return direction.clone().multiplyScalar(sum ** (-1 / power));
}

/** Outward unit normal at a point of the surface: the gradient of |x/a|^n + |y/b|^n + |z/c|^n. */
export function surfaceNormal(solid: Superellipsoid, point: Vector3): Vector3 {
  const slope = (value: number, half: number) =>
    (Math.sign(value) * Math.abs(value / half) ** (solid.power - 1)) / half;
  return new Vector3(slope(point.x, solid.x), slope(point.y, solid.y), slope(point.z, solid.z)).normalize();
}

/** The front point of the surface at this width and height (metres from the centre). */
export function frontPoint(solid: Superellipsoid, y: number, z: number): Vector3 {
  const rest = 1 - Math.abs(y / solid.y) ** solid.power - Math.abs(z / solid.z) ** solid.power;
  return new Vector3(solid.x * Math.max(rest, 0) ** (1 / solid.power), y, z);
}

/** A closed shell: a sphere of directions pushed out to the surface. */
export function superellipsoidGeometry(solid: Superellipsoid, columns = 96, rows = 56): BufferGeometry {
  return grid(columns, rows, (u, v) => {
    const turn = u * 2 * Math.PI;
    const tilt = v * Math.PI;
    const direction = new Vector3(Math.sin(tilt) * Math.cos(turn), Math.sin(tilt) * Math.sin(turn), Math.cos(tilt));
    const point = surfaceAlong(solid, direction);
    return { point, normal: surfaceNormal(solid, point) };
  });
}

/** A rounded rectangle in the yz plane, metres, with its middle `rise` above the solid's centre. */
interface Panel {
  halfWidth: number;
  halfHeight: number;
  rise: number;
  power: number;
}

/** A panel laid on the front of the solid, `lift` metres above the surface, its rim sunk into it. */
export function panelGeometry(solid: Superellipsoid, panel: Panel, lift: number): BufferGeometry {
  const geometry = grid(96, 24, (u, v) => {
    const turn = u * 2 * Math.PI;
    const flat = new Vector3(0, Math.cos(turn), Math.sin(turn));
    const rim = surfaceAlong({ x: 1, y: panel.halfWidth, z: panel.halfHeight, power: panel.power }, flat);
    const reach = Math.sin((v * Math.PI) / 2);
    const point = frontPoint(solid, rim.y * reach, rim.z * reach + panel.rise);
    const normal = surfaceNormal(solid, point);
    const bevel = 1 - reach ** 24 * 2;
    return { point: point.addScaledVector(normal, lift * bevel), normal };
  });
  geometry.computeVertexNormals();
  return geometry;
}

/** A solid of revolution about z from [radius, height] pairs in metres, rounded through them in `rows` steps. */
export function lathe(profile: readonly (readonly [number, number])[], rows: number): BufferGeometry {
  const points = profile.map(([radius, height]) => new Vector3(radius, 0, height));
  const outline = new CatmullRomCurve3(points, false, "centripetal").getPoints(rows);
  const up = new Vector3(0, 0, 1);
  const geometry = grid(96, rows, (u, v) => {
    const point = (outline[rows - Math.round(v * rows)] ?? up).clone().applyAxisAngle(up, u * 2 * Math.PI);
    return { point, normal: up };
  });
  geometry.computeVertexNormals();
  return geometry;
}

/** A wire along points in metres. */
export function wire(points: readonly Vector3[], radius: number, segments: number): BufferGeometry {
  return new TubeGeometry(new CatmullRomCurve3([...points]), segments, radius, 10, false);
}

/** The points of a helixPoints about z from the origin upwards. */
export function helixPoints(radius: number, length: number, turns: number): Vector3[] {
  const steps = turns * 14;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = (step / 14) * 2 * Math.PI;
    return new Vector3(radius * Math.cos(angle), radius * Math.sin(angle), (length * step) / steps);
  });
}

type Sample = { point: Vector3; normal: Vector3 };

/** An indexed surface over u (closed, 0..1) and v (0..1), so that its seam shades smoothly. */
function grid(columns: number, rows: number, at: (u: number, v: number) => Sample): BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const index: number[] = [];
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column < columns; column++) {
      const { point, normal } = at(column / columns, row / rows);
      positions.push(point.x, point.y, point.z);
      normals.push(normal.x, normal.y, normal.z);
      if (row === rows) continue;
      const here = row * columns + column;
      const beside = row * columns + ((column + 1) % columns);
      index.push(here, here + columns, beside, beside, here + columns, beside + columns);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setIndex(index);
  return geometry;
}
