import { type Group, Mesh, MeshBasicMaterial, type Object3D } from "three";
import { createRobotModel } from "./robot-model.ts";
import { distance, type Frame, INVISIBLE } from "./timeline.ts";

/** Parts that would only clutter an outline. */
const INNER = new Set(["foot", "body", "rod", "platform", "eye"]);

/**
 * A pale outline of the robot in the pose that the servos are told to hold, seen where it leaves the real one. `apply`
 * answers whether there is something to draw anew.
 */
export function createGhost(): { root: Group; apply(frame: Frame | null): boolean } {
  const model = createRobotModel();
  const paint = new MeshBasicMaterial({ color: "#3aa0ff", transparent: true, opacity: 0.28 });
  // Behind what it coincides with, so that only the difference shows.
  Object.assign(paint, { polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 60 });
  model.root.traverse((part: Object3D) => {
    part.castShadow = false;
    part.receiveShadow = false;
    if (part instanceof Mesh) part.material = paint;
    if (INNER.has(part.name)) part.visible = false;
  });
  model.root.visible = false;
  let last: Frame | undefined;
  return {
    root: model.root,
    apply(frame) {
      const shown = model.root.visible;
      model.root.visible = frame !== null;
      if (frame === null) return shown;
      const moved = !shown || last === undefined || distance(frame, last) > INVISIBLE;
      if (moved) model.apply(frame);
      last = frame;
      return moved;
    },
  };
}
