import { expect, test } from "vitest";
import { StateWatchers } from "./state-socket.ts";

test("the robot is told when the first watcher comes and when the last one leaves", () => {
  const told: boolean[] = [];
  const watchers = new StateWatchers({ setWatched: async (watched) => void told.push(watched) });
  const [first, second] = [watchers.add(), watchers.add()];
  first();
  first();
  expect(told).toEqual([false, true]);
  second();
  watchers.add();
  expect(told).toEqual([false, true, false, true]);
});
