import { type Group, Mesh, MeshBasicMaterial, type Object3D } from "three";
import { type Frame, frameDistance, IMPERCEPTIBLE } from "../frames/frame.ts";
import { createRobotModel } from "./robot-model.ts";

/** Parts that would clutter the outline. */
const HIDDEN_PARTS = new Set(["foot", "body", "rod", "platform", "eye"]);

/**
 * A pale outline of the robot in the pose that the servos are commanded to; only where it differs from the real pose is
 * it seen. `apply` returns whether the picture changes.
 */
export function createGhost(): { root: Group; apply(frame: Frame | null): boolean } {
  const model = createRobotModel();
  const paint = new MeshBasicMaterial({ color: "#3aa0ff", transparent: true, opacity: 0.28 });
  // Drawn behind the robot where both coincide, so that only the difference shows.
  Object.assign(paint, { polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 60 });
  model.root.traverse((part: Object3D) => {
    part.castShadow = false;
    part.receiveShadow = false;
    if (part instanceof Mesh) part.material = paint;
    if (HIDDEN_PARTS.has(part.name)) part.visible = false;
  });
  model.root.visible = false;
  let drawn: Frame | undefined;
  return {
    root: model.root,
    apply(frame) {
      const shown = model.root.visible;
      model.root.visible = frame !== null;
      if (frame === null) return shown;
      const moved = !shown || drawn === undefined || frameDistance(frame, drawn) > IMPERCEPTIBLE;
      if (!moved) return false;
      model.apply(frame);
      // Compared with what is drawn, so that many small steps add up.
      drawn = frame;
      return true;
    },
  };
}
