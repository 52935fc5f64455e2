import { type Material, Mesh, type Object3D } from "three";

/** Frees the graphics memory of every mesh below `root`. */
export function disposeTree(root: Object3D): void {
  root.traverse((part) => {
    if (!(part instanceof Mesh)) return;
    part.geometry.dispose();
    const materials: Material[] = Array.isArray(part.material) ? part.material : [part.material];
    for (const material of materials) material.dispose();
  });
}
