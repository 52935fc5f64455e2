import { describe, expect, test } from "vitest";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { Harness, type PhysicalHarness } from "./testing/harness.ts";

/** Newtons at a point of the left antenna, for some seconds. */
function push(harness: PhysicalHarness, newtons: number, seconds: number): void {
  const { physics } = harness.link.robot;
  const { x, y, z } = physics.body("left_antenna")?.translation() ?? { x: 0, y: 0, z: 0 };
  physics.push("hand", { body: "left_antenna", point: [x, y, z + 0.07], force: [newtons, 0, 0] }, seconds);
}

describe("a touch of an antenna that its motor holds", () => {
  test.each([1, 2, 3, 4, 4.7])("of %f N is felt within 0.2 s, although the antenna hardly moves", async (newtons) => {
    const harness = await Harness.awakeInPhysics();
    await harness.run(500);
    const began = harness.clock.now();
    push(harness, newtons, 1);
    await harness.run(900);
    const touches = harness.eventsOf("antenna_touched");
    expect(touches.map(({ data }) => data)).toEqual([{ antenna: "left" }]);
    expect(touches[0]?.at).toBeLessThanOrEqual(began + 200);
    expect(harness.eventsOf("fault")).toEqual([]);
  });

  test("is felt again after it was released", async () => {
    const harness = await Harness.awakeInPhysics();
    await harness.run(500);
    for (let touch = 0; touch < 3; touch += 1) {
      push(harness, 2, 0.5);
      await harness.run(2000);
    }
    expect(harness.eventsOf("antenna_touched")).toHaveLength(3);
  });

  test("is felt while the antenna sways", async () => {
    const harness = await Harness.awakeInPhysics();
    for (let tick = 0; tick < 300; tick += 1) {
      const angle = 0.5 * Math.sin(0.02 * tick);
      await harness.settle(harness.robot.setTarget({ antennas: [angle, angle] }));
      if (tick === 150) push(harness, 4, 0.5);
      await harness.run(10);
    }
    expect(harness.eventsOf("antenna_touched").map(({ data }) => data)).toEqual([{ antenna: "left" }]);
  });
});

describe("the robot's own motion is no touch", () => {
  test("of fast antennas", async () => {
    const harness = await Harness.awakeInPhysics();
    for (let tick = 0; tick < 600; tick += 1) {
      const angle = Math.sin(2 * Math.PI * 0.01 * tick);
      await harness.settle(harness.robot.setTarget({ antennas: [angle, -angle] }));
      await harness.run(10);
    }
    for (const angle of [2, -2, 2]) {
      await harness.settle(harness.robot.setTarget({ antennas: [angle, angle] }));
      await harness.run(700);
    }
    expect(harness.eventsOf("antenna_touched")).toEqual([]);
  });

  test("of the head and body, of waking up and of going to sleep", async () => {
    const harness = await Harness.awakeInPhysics();
    await harness.settle(harness.robot.goto({ bodyYaw: 1, duration: 0.5, method: "linear" }));
    await harness.settle(harness.robot.goto({ ...DEFAULT_POSE, duration: 0.3, method: "cartoon" }));
    await harness.settle(harness.robot.goToSleep());
    await harness.settle(harness.robot.wakeUp());
    await harness.run(1000);
    expect(harness.eventsOf("antenna_touched")).toEqual([]);
  });
});
