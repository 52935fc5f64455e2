import { describe, expect, test } from "vitest";
import type { Move, Waypoint } from "../../robot/motion/move.ts";
import { Mover } from "./mover.ts";

const HERE = { head: [], antennas: [0, 0], bodyYaw: 0 } as unknown as Waypoint;

/** A move whose waypoint says how far it is. */
const way = (duration: number): Move => ({
  duration,
  sample: (t) => ({ head: [], antennas: [0, 0], bodyYaw: Math.min(t, duration) }) as unknown as Waypoint,
});

describe("Mover", () => {
  test("samples a move by the time that passes and ends it once the goals have caught up", async () => {
    const mover = new Mover();
    const ended = mover.start("a", "goto", () => way(0.03));
    const yaws = [0.01, 0.01, 0.01].map((seconds) => mover.advance(seconds, HERE, true)?.waypoint.bodyYaw);
    expect(yaws[0]).toBeCloseTo(0.01);
    expect(yaws[2]).toBeCloseTo(0.03);
    mover.advance(0.01, HERE, false);
    expect(mover.current).toEqual({ id: "a", kind: "goto" });
    mover.advance(0.01, HERE, true);
    expect(mover.current).toBeNull();
    expect(await ended).toBe("finished");
    expect(mover.advance(0.01, HERE, true)).toBeUndefined();
  });

  test("does not wait for ever for goals that cannot catch up", async () => {
    const mover = new Mover();
    const ended = mover.start("a", "goto", () => way(0.5));
    for (let tick = 0; tick < 152; tick++) mover.advance(0.01, HERE, false);
    expect(mover.current).toBeNull();
    expect(await ended).toBe("finished");
  });

  test("a move begins from where the robot is when its turn comes", () => {
    const mover = new Mover();
    const froms: unknown[] = [];
    mover.start("a", "goto", (from) => {
      froms.push(from.bodyYaw);
      return way(1);
    });
    mover.advance(0.01, { ...HERE, bodyYaw: 0.7 }, true);
    mover.advance(0.01, { ...HERE, bodyYaw: 0.8 }, true);
    expect(froms).toEqual([0.7]);
  });

  test("a new move supersedes the running one", async () => {
    const mover = new Mover();
    const first = mover.start("a", "goto", () => way(1));
    const second = mover.start("b", "wake_up", () => way(1));
    expect(await first).toBe("superseded");
    expect(mover.end("cancelled", "a")).toBe(false);
    expect(mover.end("cancelled", "b")).toBe(true);
    expect(await second).toBe("cancelled");
  });

  test("tells each cue once, when its time has come", () => {
    const mover = new Mover();
    mover.start("a", "goto_sleep", () => ({ ...way(0.02), cues: [{ at: 0.02, cue: "motors_off" }] }));
    expect([0.01, 0.01, 0.01].map((seconds) => mover.advance(seconds, HERE, true)?.cues)).toEqual([
      [],
      ["motors_off"],
      [],
    ]);
  });
});
