import { expect, test } from "vitest";
import { DefaultPoseWatch } from "./default-pose-watch.ts";

const PERIOD_S = 0.125;

/** Seconds until the return of a robot is over, which moves between two times and is at its default pose from one on. */
function endOf({ moves, atDefault }: { moves: [from: number, to: number]; atDefault: number }): number {
  const watch = new DefaultPoseWatch(0);
  let now = 0;
  while (!watch.isOver(now, { isAtDefault: now >= atDefault, isMoving: now >= moves[0] && now < moves[1] }))
    now += PERIOD_S;
  return now;
}
const NEVER = Number.POSITIVE_INFINITY;

test("a robot that stays at its default pose for 0.3 s has returned", () => {
  expect(endOf({ moves: [0.125, 0.75], atDefault: 0.75 })).toBe(1.125);
});

test("a robot that moves again at once has not returned", () => {
  const watch = new DefaultPoseWatch(0);
  const looks = [
    [0.5, true, false],
    [0.75, true, false],
    [0.875, true, true],
    [2.875, false, false],
    [5, false, false],
  ] as const;
  const isOver = looks.map(([now, isAtDefault, isMoving]) => watch.isOver(now, { isAtDefault, isMoving }));
  expect(isOver).toEqual([false, false, false, false, true]);
});

test("a robot that does not move is waited for 5 s", () => {
  expect(endOf({ moves: [0, 0], atDefault: NEVER })).toBe(5);
  expect(endOf({ moves: [1, 2], atDefault: NEVER })).toBe(5);
});

test("a robot that still moves then, or whose joints follow its goals, is waited for longer", () => {
  expect(endOf({ moves: [4.75, 6], atDefault: 6.25 })).toBe(6.375);
  expect(endOf({ moves: [4.75, 6], atDefault: NEVER })).toBe(6.5);
});
