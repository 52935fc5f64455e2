import { afterEach, describe, expect, test, vi } from "vitest";
import { ping } from "../../robot/servo/protocol/instructions.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import { createLocalLink } from "./local-link.ts";
import type { SimEvent } from "./robot-host.ts";
import type { SimLink } from "./sim-link.ts";

const box = {
  name: "box",
  shape: { kind: "box", size: [0.1, 0.02, 0.02] },
  mass: 0.1,
  position: [0.3, 0, 0.1],
} as const;
const open: SimLink[] = [];

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((link) => link.close()));
});

async function local() {
  const made = await createLocalLink({ seed: 1 });
  open.push(made.link);
  return made;
}

function nextOf<T>(subscribe: (listener: (value: T) => void) => () => void): Promise<T> {
  return new Promise((resolve) => {
    const end = subscribe((value) => {
      end();
      resolve(value);
    });
  });
}

describe("a simulated robot in this thread", () => {
  test("replies come in simulated time, which only the caller advances", async () => {
    const { link, robot, advance } = await local();
    advance(0.5);
    const answer = nextOf<Uint8Array>((listener) => link.onData(listener));
    link.write(ping(14));
    expect((await answer)[4]).toBe(14);
    expect(robot.time).toBe(0.5);
  });

  test("scenes have the poses of parts and objects, at the requested rate", async () => {
    const { link, advance } = await local();
    const scenes: Scene[] = [];
    link.onScene((scene) => scenes.push(scene));
    await link.addObject(box);
    await link.watch(50);
    for (let k = 0; k < 100; k += 1) advance(0.01);
    await link.watch(0);
    advance(0.5);
    expect(scenes.length).toBeGreaterThanOrEqual(49);
    expect(scenes.length).toBeLessThanOrEqual(51);
    const last = scenes.at(-1);
    expect(last?.names.at(-1)).toBe("box");
    expect(last?.poses).toHaveLength(7 * 18);
    expect(last?.poses.at(-5)).toBeCloseTo(0.01, 2);
    expect(last?.objects).toEqual([box]);
  });

  test("a push moves the robot, and an event reports that a broken platform was recovered", async () => {
    const { link, robot, advance } = await local();
    advance(0.2);
    const before = robot.physics.headPose();
    await link.push("hand", { body: "head", point: [0.05, 0, 0.2], force: [0, 0, 5] }, 0.5);
    advance(0.3);
    expect(robot.physics.headPose()[11]).toBeGreaterThan(before[11] + 0.01);
    const event = nextOf<SimEvent>((listener) => link.onEvent(listener));
    for (let k = 0; k < 50 && robot.physics.recoveries === 0; k += 1) {
      await link.push("hand", { body: "head", point: [0.05, 0.06, 0.28], force: [-20, k, 20 - k] }, 0.5);
      advance(0.5);
    }
    expect(await event).toEqual({ kind: "platform-recovered" });
  });

  test("a refused request rejects with its error code and message", async () => {
    const { link } = await local();
    await link.addObject(box);
    await expect(link.addObject(box)).rejects.toMatchObject({ code: "bad-request" });
    await expect(link.removeObject("cup")).rejects.toThrow(/There is no object "cup"; there are: box/);
    await expect(link.watch(500)).rejects.toThrow(/from 0 to 120 per second, not 500/);
    await link.removeObject("box");
    await link.reset();
  });

  test("after close no data arrives and requests fail", async () => {
    const { link, advance } = await local();
    advance(0.5);
    const reasons: unknown[] = [];
    link.onClose((reason) => reasons.push(reason));
    link.write(ping(14));
    link.onData(() => reasons.push("data"));
    await link.close();
    await link.close();
    expect(reasons).toEqual([undefined]);
    await expect(link.reset()).rejects.toMatchObject({ code: "robot-not-ready" });
  });
});

describe("a simulated robot with a clock", () => {
  test.each([1, "max"] as const)("runs by itself at the speed %s", async (speed) => {
    const { link } = await createLocalLink({ seed: 1, speed, now: () => performance.now() });
    open.push(link);
    const scene = () => nextOf<Scene>((listener) => link.onScene(listener));
    await link.watch(100);
    const { time } = await scene();
    let latest = await scene();
    while (latest.time < time + 0.5) latest = await scene();
    const answer = nextOf<Uint8Array>((listener) => link.onData(listener));
    link.write(ping(10));
    expect((await answer)[4]).toBe(10);
    await expect(link.removeObject("cup")).rejects.toMatchObject({ code: "bad-request" });
  });

  test("on demand it is as old as the clock at each packet and action, and sets no timers", async () => {
    vi.useFakeTimers();
    let time = 0;
    const { link, robot } = await createLocalLink({ seed: 1, now: () => time, speed: "on-demand" });
    open.push(link);
    time = 400;
    link.write(ping(10));
    expect(robot.time).toBeCloseTo(0.4, 6);
    time = 1000;
    await link.push("hand", null);
    expect(robot.time).toBeCloseTo(1, 6);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(["a timer", "a packet", "an action"])(
    "an engine that fails during %s ends the link with the reason",
    async (during) => {
      let time = 0;
      const now = during === "a timer" ? () => performance.now() : () => time;
      const { link, robot } = await createLocalLink({ seed: 1, now });
      const closed = nextOf<Error | undefined>((listener) => link.onClose(listener));
      vi.spyOn(robot, "advanceTo").mockImplementation(() => {
        throw new Error("unreachable executed");
      });
      const free = vi.spyOn(robot, "free").mockImplementation(() => {
        throw new Error("recursive use of an object");
      });
      time += 10;
      if (during === "a packet") link.write(ping(10));
      if (during === "an action") await expect(link.reset()).rejects.toThrow(/unreachable executed/);
      expect(await closed).toMatchObject({
        code: "robot-not-ready",
        message: expect.stringMatching(/unreachable executed/),
      });
      await expect(link.reset()).rejects.toMatchObject({ code: "robot-not-ready" });
      await link.close();
      expect(free).toHaveBeenCalledOnce();
    },
  );
});
