import { BoxGeometry, Group, Mesh, PerspectiveCamera, Vector2 } from "three";
import { beforeEach, describe, expect, test } from "vitest";
import type { Push } from "../../../robot/wire/scene/hand-act.ts";
import { BodyDrag } from "./body-drag.ts";

/** A camera a metre in front of a 10 cm box, looking along -x; y is to the right in its picture. */
function createScene() {
  const camera = new PerspectiveCamera(28, 1, 0.05, 5);
  camera.up.set(0, 0, 1);
  camera.position.set(1, 0, 0);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  const head = new Group();
  head.name = "head";
  head.add(new Mesh(new BoxGeometry(0.1, 0.1, 0.1)));
  head.updateMatrixWorld(true);
  return { camera, head };
}

describe("a drag", () => {
  let parts: ReturnType<typeof createScene>;
  let drag: BodyDrag;
  const middle = new Vector2(0, 0);
  const push = () => drag.update() as Push;

  beforeEach(() => {
    parts = createScene();
    drag = new BodyDrag();
    const hit = drag.pick(middle, parts.camera, [parts.head]);
    expect(hit?.body.name).toBe("head");
    expect(hit?.point.x).toBeCloseTo(0.05, 6);
    if (hit) drag.grab(hit.body, hit.point, parts.camera);
  });

  test("applies no force at the grabbed point while the pointer has not moved", () => {
    expect(drag.update()).toMatchObject({ body: "head" });
    const { force, point } = push();
    expect(Math.hypot(...force)).toBeCloseTo(0, 9);
    expect(point?.[0]).toBeCloseTo(0.05, 6);
  });

  test("pulls towards the pointer, in the plane that faces the camera", () => {
    drag.moveTo(new Vector2(0, 0.1), parts.camera);
    const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = push().force;
    expect(x).toBeCloseTo(0, 9);
    expect(y).toBeCloseTo(0, 9);
    expect(z).toBeCloseTo(40 * 0.1 * Math.tan((14 * Math.PI) / 180) * 0.95, 6);
  });

  test("applies at most three newtons", () => {
    drag.moveTo(new Vector2(1, 1), parts.camera);
    expect(Math.hypot(...push().force)).toBeCloseTo(3, 9);
  });

  test("weakens as the body follows", () => {
    drag.moveTo(new Vector2(0, 0.1), parts.camera);
    parts.head.position.z = 0.1 * Math.tan((14 * Math.PI) / 180) * 0.95;
    parts.head.updateMatrixWorld(true);
    expect(Math.hypot(...push().force)).toBeCloseTo(0, 6);
  });

  test("of an object moves it to the pointer, never below the table", () => {
    const hit = drag.pick(middle, parts.camera, [parts.head]);
    if (hit) drag.grab(hit.body, hit.point, parts.camera, true);
    drag.moveTo(new Vector2(0, 0.1), parts.camera);
    const height = 0.1 * Math.tan((14 * Math.PI) / 180) * 0.95;
    expect(drag.update()).toEqual({
      body: "head",
      point: [expect.closeTo(0.05, 6), expect.closeTo(0, 6), expect.closeTo(0, 6)],
      towards: [expect.closeTo(0.05, 6), expect.closeTo(0, 6), expect.closeTo(height, 6)],
    });
    drag.moveTo(new Vector2(0, -0.5), parts.camera);
    expect(drag.update()).toMatchObject({ towards: [expect.closeTo(0.05, 6), expect.closeTo(0, 6), 0] });
  });

  test("ends on release", () => {
    drag.release();
    expect(drag.active).toBe(false);
    expect(drag.update()).toBeUndefined();
  });
});
