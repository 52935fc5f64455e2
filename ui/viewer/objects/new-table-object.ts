import type { SceneObject } from "../../../robot/wire/scene/hand-act.ts";
import type { DrawnObject } from "../../../robot/wire/scene/scene-frame.ts";

/** Where objects are dropped, one after the other: left and right of the robot as the camera sees it, metres. */
const SPOTS = [
  [0.06, 0.2],
  [0.1, -0.17],
  [-0.04, 0.22],
  [0.15, 0.17],
  [0, -0.21],
  [0.02, 0.29],
] as const;
const HEIGHT = 0.12;
/** Metres between the middles of two objects that do not touch. */
const CLEARANCE = 0.07;
/** kg/m3: balls of rubber, boxes of light wood. */
const DENSITY = { ball: 900, box: 450 };
const RADII = [0.022, 0.028, 0.018];
const EDGES = [
  [0.045, 0.045, 0.045],
  [0.03, 0.06, 0.03],
  [0.06, 0.035, 0.025],
] as const;

/** A ball or box to put on the table: with an unused name, above a free spot if there is one. */
export function newTableObject(kind: "ball" | "box", present: readonly DrawnObject[]): SceneObject {
  const names = new Set(present.map(({ name }) => name));
  let number = 1;
  while (names.has(`${kind} ${number}`)) number += 1;
  const isFree = ([x, y]: readonly [number, number]) =>
    present.every(({ pose: [atX = 0, atY = 0] }) => Math.hypot(atX - x, atY - y) > CLEARANCE);
  const [x, y] = SPOTS.find(isFree) ?? SPOTS[number % SPOTS.length] ?? SPOTS[0];
  const name = `${kind} ${number}`;
  const position = [x, y, HEIGHT] as const;
  if (kind === "ball") {
    const radius = pick(RADII, number);
    return { name, shape: { kind, radius }, mass: DENSITY.ball * (4 / 3) * Math.PI * radius ** 3, position };
  }
  const size = pick(EDGES, number);
  return { name, shape: { kind, size }, mass: DENSITY.box * size[0] * size[1] * size[2], position };
}

const pick = <T>(list: readonly T[], number: number): T => list[(number - 1) % list.length] as T;
