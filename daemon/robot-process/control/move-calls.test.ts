import { expect, test } from "vitest";
import type { ControlLoop } from "./loop/control-loop.ts";
import { WorkQueue } from "./loop/work-queue.ts";
import { MoveCalls } from "./move-calls.ts";
import type { ConnectedRobot } from "./robot/connected-robot.ts";

test("a move does not start when the link has gone while it was planned", async () => {
  const work = new WorkQueue<ConnectedRobot>(() => undefined);
  work.open();
  let hasStarted = false;
  const moves = { start: async () => (hasStarted = true) };
  const calls = new MoveCalls(
    { work, moves, status: { emit: () => undefined } } as unknown as ControlLoop,
    () => undefined,
  );
  const outcome = calls.start("goto", undefined, async () => {
    work.close("the cable was pulled");
    return () => ({}) as never;
  });
  void work.run({} as ConnectedRobot);
  await expect(outcome).rejects.toMatchObject({ code: "robot-not-ready", message: "the cable was pulled" });
  expect(hasStarted).toBe(false);
});
