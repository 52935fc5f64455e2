import { BoxGeometry, Group, Mesh, PerspectiveCamera, Vector2 } from "three";
import { beforeEach, describe, expect, test } from "vitest";
import { type Push, PushDrag } from "./push-drag.ts";

/** A camera a metre in front of a 10 cm box, looking at it along -x; y is to its right as seen from there. */
function scene() {
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

describe("a pull", () => {
  let parts: ReturnType<typeof scene>;
  let drag: PushDrag;
  const middle = new Vector2(0, 0);
  const push = () => drag.push() as Push;

  beforeEach(() => {
    parts = scene();
    drag = new PushDrag();
    const hit = drag.pick(middle, parts.camera, [parts.head]);
    expect(hit?.body.name).toBe("head");
    expect(hit?.point.x).toBeCloseTo(0.05, 6);
    if (hit) drag.grab(hit.body, hit.point, parts.camera);
  });

  test("of a pointer at rest is no force, at the grabbed point", () => {
    expect(drag.push()).toMatchObject({ body: "head" });
    const { force, point } = push();
    expect(Math.hypot(...force)).toBeCloseTo(0, 9);
    expect(point[0]).toBeCloseTo(0.05, 6);
  });

  test("goes towards the pointer, in the plane that faces the camera", () => {
    drag.follow(new Vector2(0, 0.1), parts.camera);
    const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = push().force;
    expect(x).toBeCloseTo(0, 9);
    expect(y).toBeCloseTo(0, 9);
    expect(z).toBeCloseTo(40 * 0.1 * Math.tan((14 * Math.PI) / 180) * 0.95, 6);
  });

  test("is at most three newtons, however far the pointer goes", () => {
    drag.follow(new Vector2(1, 1), parts.camera);
    expect(Math.hypot(...push().force)).toBeCloseTo(3, 9);
  });

  test("weakens as the body follows", () => {
    drag.follow(new Vector2(0, 0.1), parts.camera);
    parts.head.position.z = 0.1 * Math.tan((14 * Math.PI) / 180) * 0.95;
    parts.head.updateMatrixWorld(true);
    expect(Math.hypot(...push().force)).toBeCloseTo(0, 6);
  });

  test("of an object is the place it shall come to, never under the table", () => {
    const hit = drag.pick(middle, parts.camera, [parts.head]);
    if (hit) drag.grab(hit.body, hit.point, parts.camera, true);
    drag.follow(new Vector2(0, 0.1), parts.camera);
    const height = 0.1 * Math.tan((14 * Math.PI) / 180) * 0.95;
    expect(drag.push()).toEqual({
      body: "head",
      point: [expect.closeTo(0.05, 6), expect.closeTo(0, 6), expect.closeTo(0, 6)],
      towards: [expect.closeTo(0.05, 6), expect.closeTo(0, 6), expect.closeTo(height, 6)],
    });
    drag.follow(new Vector2(0, -0.5), parts.camera);
    expect(drag.push()).toMatchObject({ towards: [expect.closeTo(0.05, 6), expect.closeTo(0, 6), 0] });
  });

  test("ends with the release", () => {
    drag.release();
    expect(drag.active).toBe(false);
    expect(drag.push()).toBeUndefined();
  });
});
