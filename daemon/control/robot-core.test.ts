import { expect, test } from "vitest";
import { ManualClock } from "../hardware/manual-clock.ts";
import { createRobot } from "./robot-core.ts";
import { SimulatedLink } from "./testing/simulated-link.ts";

test("wakes", async () => {
  const clock = new ManualClock();
  const link = await SimulatedLink.create(clock);
  const robot = createRobot({ open: link.open, clock });
  robot.onEvent((event) => console.log(clock.now(), event.kind, event.level, event.message));
  await clock.run(1000);
  console.log(robot.state);
  const woke = robot.wakeUp();
  for (let i = 0; i < 30; i++) {
    await clock.run(100);
    console.log(
      clock.now(),
      robot.state.headJoints.map((x) => x.toFixed(2)).join(" "),
      robot.state.sent?.headJoints.map((x) => x.toFixed(2)).join(" "),
      robot.state.antennas,
    );
  }
  console.log(await woke);
  console.log(robot.state);
});
