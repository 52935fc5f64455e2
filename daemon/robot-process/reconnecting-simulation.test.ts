import { expect, test } from "vitest";
import { ManualClock } from "../../common/time/manual-clock.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import { createLocalLink } from "../../sim/link/local-link.ts";
import { RobotController } from "./control/robot-controller.ts";
import { reconnectingSimulation } from "./reconnecting-simulation.ts";

test("a push that turns the platform inside out is reported as a fault", async () => {
  const local = await createLocalLink({ seed: 1 });
  const simulation = reconnectingSimulation(async () => local.link);
  const clock = new ManualClock();
  const robot = new RobotController({ ...simulation, clock });
  const events: RobotEvent[] = [];
  robot.onEvent((event) => events.push(event));
  await simulation.open();
  for (let k = 0; k < 50 && events.every(({ kind }) => kind !== "fault"); k += 1) {
    await local.link.push("hand", { body: "head", point: [0.05, 0.06, 0.28], force: [-20, k, 20 - k] }, 0.5);
    local.advance(0.5);
    await clock.advanceAsync(0);
  }
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "fault", level: "warning", message: expect.stringContaining("inside out") }),
  );
  await local.link.close();
});
