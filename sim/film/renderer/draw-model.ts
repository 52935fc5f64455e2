import {
  type Color,
  InstancedMesh,
  type Material,
  Matrix3,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
} from "three";
import type { Vec3 } from "../../../robot/description/frames.ts";
import { AMBIENT, type Canvas, LIGHT } from "../../camera/canvas.ts";

/** Metres from the camera to the closest triangle that is drawn. */
const NEAR = 1e-2;

/** The corners of a mesh in the picture. */
interface Corners {
  /** For each corner: pixels to the right, pixels down, and metres from the camera. */
  readonly places: Float32Array;
  /** For each corner: how bright it is, from 0 to 1. */
  readonly light: Float32Array;
}

/** How a mesh is coloured. */
interface Paint {
  /** Red, green and blue, from 0 to 255. */
  readonly colour: readonly [number, number, number];
  /** From 0, where everything behind it shows through, to 1. */
  readonly opacity: number;
  /** Whether its brightness depends on the light. */
  readonly isLit: boolean;
}

/** Draws a model of three.js with flat colours, and its shadow on the table. It needs no graphics hardware. */
export function drawModel(canvas: Canvas, root: Object3D): void {
  root.updateMatrixWorld(true);
  const parts = [...partsOf(root)];
  const isTransparent = ({ material }: { material: Material }) => material.transparent;
  shadeTable(
    canvas,
    parts.filter((part) => !isTransparent(part)),
  );
  // What is behind a transparent part has to be there first.
  for (const part of [...parts.filter((each) => !isTransparent(each)), ...parts.filter(isTransparent)]) {
    const paint = paintOf(part.material);
    const [red, green, blue] = paint.colour;
    const behind = 1 - paint.opacity;
    fillTriangles(canvas, part.mesh, project(canvas, part.mesh, part.matrix, paint.isLit), (pixel, depth, light) => {
      if (depth >= (canvas.depth[pixel] as number)) return;
      if (behind === 0) canvas.depth[pixel] = depth;
      const share = paint.opacity * light;
      const at = 4 * pixel;
      canvas.rgba[at] = red * share + (canvas.rgba[at] as number) * behind;
      canvas.rgba[at + 1] = green * share + (canvas.rgba[at + 1] as number) * behind;
      canvas.rgba[at + 2] = blue * share + (canvas.rgba[at + 2] as number) * behind;
    });
  }
}

/** A visible mesh, and where it is in the world. */
interface Part {
  readonly mesh: Mesh;
  readonly matrix: Matrix4;
  readonly material: Material;
}

function* partsOf(object: Object3D): Generator<Part> {
  if (!object.visible) return;
  if (object instanceof Mesh) {
    const material = object.material as Material;
    if (object instanceof InstancedMesh) {
      for (let index = 0; index < object.count; index += 1) {
        const matrix = new Matrix4();
        object.getMatrixAt(index, matrix);
        yield { mesh: object, matrix: matrix.premultiply(object.matrixWorld), material };
      }
    } else yield { mesh: object, matrix: object.matrixWorld, material };
  }
  for (const child of object.children) yield* partsOf(child);
}

function paintOf(material: Material & { color?: Color }): Paint {
  const { r, g, b } = material.color?.clone().convertLinearToSRGB() ?? { r: 1, g: 1, b: 1 };
  return {
    colour: [255 * r, 255 * g, 255 * b],
    opacity: material.transparent ? material.opacity : 1,
    isLit: !(material instanceof MeshBasicMaterial),
  };
}

/** Darkens the table where the lamp does not reach it. Call before anything else stands on the table. */
function shadeTable(canvas: Canvas, parts: readonly Part[]): void {
  const inShadow = new Uint8Array(canvas.depth.length);
  const flatten = new Matrix4().set(
    ...([1, 0, -LIGHT[0] / LIGHT[2], 0, 0, 1, -LIGHT[1] / LIGHT[2], 0, 0, 0, 0, 0, 0, 0, 0, 1] as const),
  );
  for (const { mesh, matrix } of parts) {
    const corners = project(canvas, mesh, new Matrix4().multiplyMatrices(flatten, matrix), false);
    fillTriangles(
      canvas,
      mesh,
      corners,
      (pixel) => {
        inShadow[pixel] = 1;
      },
      true,
    );
  }
  canvas.darken(inShadow);
}

/** Where the corners of a mesh are in the picture, and their light. @param matrix from the mesh to the world */
function project({ lens, place, axes }: Canvas, { geometry }: Mesh, matrix: Matrix4, isLit: boolean): Corners {
  const points = geometry.getAttribute("position");
  const normals = geometry.getAttribute("normal");
  const m = matrix.elements;
  const n = new Matrix3().getNormalMatrix(matrix).elements;
  const [px, py, pz] = place.position;
  const places = new Float32Array(3 * points.count);
  const light = new Float32Array(points.count).fill(1);
  const along = ([x, y, z]: Vec3, dx: number, dy: number, dz: number) => x * dx + y * dy + z * dz;
  const entry = (from: ArrayLike<number>, at: number) => from[at] as number;
  for (let corner = 0; corner < points.count; corner += 1) {
    const [x, y, z] = [points.getX(corner), points.getY(corner), points.getZ(corner)];
    const dx = entry(m, 0) * x + entry(m, 4) * y + entry(m, 8) * z + entry(m, 12) - px;
    const dy = entry(m, 1) * x + entry(m, 5) * y + entry(m, 9) * z + entry(m, 13) - py;
    const dz = entry(m, 2) * x + entry(m, 6) * y + entry(m, 10) * z + entry(m, 14) - pz;
    const depth = along(axes[2], dx, dy, dz);
    places[3 * corner] = lens.cx + (lens.fx * along(axes[0], dx, dy, dz)) / depth;
    places[3 * corner + 1] = lens.cy + (lens.fy * along(axes[1], dx, dy, dz)) / depth;
    places[3 * corner + 2] = depth;
    if (!isLit || normals === undefined) continue;
    const [a, b, c] = [normals.getX(corner), normals.getY(corner), normals.getZ(corner)];
    const nx = entry(n, 0) * a + entry(n, 3) * b + entry(n, 6) * c;
    const ny = entry(n, 1) * a + entry(n, 4) * b + entry(n, 7) * c;
    const nz = entry(n, 2) * a + entry(n, 5) * b + entry(n, 8) * c;
    const facing = (nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2]) / (Math.hypot(nx, ny, nz) || 1);
    light[corner] = AMBIENT + (1 - AMBIENT) * Math.max(0, facing);
  }
  return { places, light };
}

/**
 * Calls `visit` for each pixel of each triangle that faces the camera, with its distance and light.
 * @param bothSides whether triangles that face away count, too
 */
function fillTriangles(
  { lens: { width, height } }: Canvas,
  { geometry }: Mesh,
  { places, light }: Corners,
  visit: (pixel: number, depth: number, light: number) => void,
  bothSides = false,
): void {
  const index = geometry.getIndex()?.array;
  const count = index?.length ?? places.length / 3;
  for (let at = 0; at < count; at += 3) {
    const a = index === undefined ? at : (index[at] as number);
    const b = index === undefined ? at + 1 : (index[at + 1] as number);
    const c = index === undefined ? at + 2 : (index[at + 2] as number);
    const [ua, va] = [places[3 * a] as number, places[3 * a + 1] as number];
    const [ub, vb] = [places[3 * b] as number, places[3 * b + 1] as number];
    const [uc, vc] = [places[3 * c] as number, places[3 * c + 1] as number];
    // Twice the area; down is positive in a picture, so that what faces the camera is negative.
    const area = (ub - ua) * (vc - va) - (uc - ua) * (vb - va);
    if (area === 0 || (area > 0 && !bothSides)) continue;
    // Over the picture of a plane, the reciprocal of the distance is linear, not the distance.
    const [nearA, nearB, nearC] = [
      1 / (places[3 * a + 2] as number),
      1 / (places[3 * b + 2] as number),
      1 / (places[3 * c + 2] as number),
    ];
    if (!(Math.max(nearA, nearB, nearC) < 1 / NEAR && Math.min(nearA, nearB, nearC) > 0)) continue;
    const [lightA, lightB, lightC] = [light[a] as number, light[b] as number, light[c] as number];
    const left = Math.max(0, Math.floor(Math.min(ua, ub, uc)));
    const right = Math.min(width, Math.ceil(Math.max(ua, ub, uc)));
    const top = Math.max(0, Math.floor(Math.min(va, vb, vc)));
    const bottom = Math.min(height, Math.ceil(Math.max(va, vb, vc)));
    const [stepB, stepC] = [(vc - va) / area, -(vb - va) / area];
    for (let row = top; row < bottom; row += 1) {
      const [u, v] = [left + 0.5 - ua, row + 0.5 - va];
      let shareB = (u * (vc - va) - (uc - ua) * v) / area;
      let shareC = ((ub - ua) * v - u * (vb - va)) / area;
      for (let column = left; column < right; column += 1) {
        const shareA = 1 - shareB - shareC;
        if (shareA >= 0 && shareB >= 0 && shareC >= 0) {
          const depth = 1 / (shareA * nearA + shareB * nearB + shareC * nearC);
          visit(row * width + column, depth, shareA * lightA + shareB * lightB + shareC * lightC);
        }
        shareB += stepB;
        shareC += stepC;
      }
    }
  }
}
