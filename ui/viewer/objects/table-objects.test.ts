import { describe, expect, test } from "vitest";
import type { DrawnObject } from "../../../robot/wire/scene/scene-frame.ts";
import { newTableObject } from "./new-table-object.ts";
import { interpolateObjects, TableObjects } from "./table-objects.ts";

const ball = (name: string, x: number): DrawnObject => ({
  name,
  shape: { kind: "ball", radius: 0.02 },
  color: "#e2603a",
  pose: [x, 0, 0.02, 0, 0, 0, 1],
});
const names = (table: TableObjects) => table.bodies.map(({ name }) => name);

describe("objects on the table", () => {
  test("appear, move to where the states put them, and disappear", () => {
    const table = new TableObjects();
    expect(table.draw(10)).toBe(false);
    table.update(0, [ball("a", 0.1), ball("b", 0.3)], 10);
    expect(table.draw(10)).toBe(true);
    expect(names(table)).toEqual(["a", "b"]);
    expect(table.reach).toBeCloseTo(0.3);
    table.update(0.04, [ball("a", 0.2)], 10.04);
    expect(table.isMoving).toBe(true);
    table.draw(10.07);
    expect(table.bodies[0]?.position.x).toBeCloseTo(0.15, 2);
    table.draw(11);
    expect(names(table)).toEqual(["a"]);
    expect(table.isMoving).toBe(false);
    expect(table.draw(12)).toBe(false);
  });

  test("a name that returns with another shape is another object", () => {
    const table = new TableObjects();
    table.update(0, [ball("a", 0)], 0);
    table.draw(0);
    const before = table.bodies[0];
    table.update(1, [{ ...ball("a", 0), shape: { kind: "box", size: [0.1, 0.1, 0.1] } }], 1);
    expect(table.draw(2)).toBe(true);
    expect(table.bodies[0]).not.toBe(before);
  });

  test("a new object appears in place", () => {
    expect(interpolateObjects([], [ball("a", 0.4)], 0.5)).toEqual([ball("a", 0.4)]);
  });
});

test("the next object gets an unused name and a free place", () => {
  const present: DrawnObject[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { name, shape, position } = newTableObject(count % 2 === 0 ? "ball" : "box", present);
    for (const other of present) {
      expect(other.name).not.toBe(name);
      expect(Math.hypot((other.pose[0] ?? 0) - position[0], (other.pose[1] ?? 0) - position[1])).toBeGreaterThan(0.07);
    }
    present.push({ name, shape, color: "#e2603a", pose: [...position, 0, 0, 0, 1] });
  }
  expect(present.map(({ name }) => name)).toEqual(["ball 1", "box 1", "ball 2", "box 2", "ball 3", "box 3"]);
});
