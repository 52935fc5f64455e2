import { describe, expect, test } from "vitest";
import type { Move, Waypoint } from "../../../../robot/motion/trajectory/move.ts";
import { MoveRunner } from "./move-runner.ts";

const HERE = { head: [], antennas: [0, 0], bodyYaw: 0 } as unknown as Waypoint;

/** A move whose waypoint says how far it is. */
const way = (duration: number): Move => ({
  duration,
  sample: (t) => ({ head: [], antennas: [0, 0], bodyYaw: Math.min(t, duration) }) as unknown as Waypoint,
});

describe("MoveRunner", () => {
  test("samples a move as time passes and ends it when the goals have arrived", async () => {
    const mover = new MoveRunner();
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

  test("ends a move although the goals cannot arrive", async () => {
    const mover = new MoveRunner();
    const ended = mover.start("a", "goto", () => way(0.5));
    for (let tick = 0; tick < 152; tick++) mover.advance(0.01, HERE, false);
    expect(mover.current).toBeNull();
    expect(await ended).toBe("finished");
  });

  test("a move starts from the posture at its first tick", () => {
    const mover = new MoveRunner();
    const froms: unknown[] = [];
    void mover.start("a", "goto", (from) => {
      froms.push(from.bodyYaw);
      return way(1);
    });
    mover.advance(0.01, { ...HERE, bodyYaw: 0.7 }, true);
    mover.advance(0.01, { ...HERE, bodyYaw: 0.8 }, true);
    expect(froms).toEqual([0.7]);
  });

  test("a new move supersedes the running one", async () => {
    const mover = new MoveRunner();
    const first = mover.start("a", "goto", () => way(1));
    const second = mover.start("b", "wake_up", () => way(1));
    expect(await first).toBe("superseded");
    expect(mover.end("cancelled", "a")).toBe(false);
    expect(mover.end("cancelled", "b")).toBe(true);
    expect(await second).toBe("cancelled");
  });

  test("returns each cue once, when it is due", () => {
    const mover = new MoveRunner();
    void mover.start("a", "goto_sleep", () => ({ ...way(0.02), cues: [{ at: 0.02, cue: "motors_off" }] }));
    expect([0.01, 0.01, 0.01].map((seconds) => mover.advance(seconds, HERE, true)?.cues)).toEqual([
      [],
      ["motors_off"],
      [],
    ]);
  });
});
