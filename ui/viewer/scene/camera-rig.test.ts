import { expect, test } from "vitest";
import { CameraRig } from "./camera-rig.ts";

/** What the rig uses of a canvas, without a page. */
const newCanvas = () =>
  Object.assign(new EventTarget(), { style: {}, ownerDocument: new EventTarget() }) as unknown as HTMLCanvasElement;

test("a hidden canvas leaves the picture as it is; its inset counts once it is shown", () => {
  const rig = new CameraRig(newCanvas(), false);
  rig.fit(800, 400);
  const projection = rig.camera.projectionMatrix.clone();
  rig.fit(0, 0, 40);
  expect(rig.camera.aspect).toBe(2);
  expect(rig.camera.projectionMatrix).toEqual(projection);
  rig.fit(800, 400);
  expect(rig.camera.view).toMatchObject({ fullWidth: 800, fullHeight: 400, offsetY: 20 });
});

test("the camera steps back until the part that nothing covers shows the whole robot, unless a person moved it", () => {
  const rig = new CameraRig(newCanvas(), false);
  const distance = () => rig.camera.position.distanceTo(rig.controls.target);
  rig.fit(360, 440);
  rig.reset();
  expect(distance()).toBeCloseTo(1.2);
  rig.fit(360, 440, 176); // three fifths are left
  expect(distance()).toBeCloseTo(0.88 / 0.6);
  rig.fit(360, 440, 430);
  expect(distance()).toBeCloseTo(1.6);
  rig.controls.dispatchEvent({ type: "start" });
  rig.fit(360, 440, 0);
  expect(distance()).toBeCloseTo(1.6);
});

test.each([
  [800, 0],
  [0, 400],
])("a canvas of %i by %i pixels leaves the picture as it is", (width, height) => {
  const rig = new CameraRig(newCanvas(), false);
  rig.fit(800, 400);
  rig.fit(width, height);
  expect(rig.camera.aspect).toBe(2);
});
