import { beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../common/time/manual-clock.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { Camera } from "./camera.ts";
import type { FrameContent, FrameFormat } from "./pictures/frame.ts";
import { NO_CAMERA } from "./sources/choose-source.ts";

const JPEG: FrameFormat = { type: "jpeg", width: 1280 };
const CONTENT: FrameContent = { kind: "file", path: "a.png" };
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

let clock: ManualClock;
/** The formats of each frame that was made. */
let made: FrameFormat[][];
let isLooking: boolean;
let rests: number;
let broken: boolean;
let camera: Camera;

beforeEach(() => {
  clock = new ManualClock();
  [made, isLooking, rests, broken] = [[], false, 0, false];
  const source = {
    kind: "file" as const,
    start: () => {
      isLooking = true;
      return () => {
        isLooking = false;
      };
    },
    take: async () => CONTENT,
  };
  const maker = {
    make: async (_content: FrameContent, formats: readonly FrameFormat[]) => {
      if (broken) throw new WorkbenchError("camera-unavailable", "broken");
      made.push([...formats]);
      return formats.map(({ width }) => Uint8Array.of(made.length, width / 10));
    },
    stop: () => {
      rests += 1;
    },
  };
  camera = new Camera(source, maker, clock);
});

async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await settled();
}

describe("the camera", () => {
  test("does nothing until somebody asks, and gives all who ask at the same time the same frame", async () => {
    await advance(10_000);
    expect([made, isLooking]).toEqual([[], false]);
    const small: FrameFormat = { type: "npy", width: 320 };
    const frames = Promise.all([camera.frame(JPEG), camera.frame({ ...JPEG }), camera.frame(small)]);
    await advance(0);
    expect(await frames).toEqual([Uint8Array.of(1, 128), Uint8Array.of(1, 128), Uint8Array.of(1, 32)]);
    expect(made).toEqual([[JPEG, small]]);
  });

  test("makes at most 30 frames a second", async () => {
    let count = 0;
    for (let step = 0; step < 1000; step += 1) {
      if (step % 2 === 0) void camera.frame(JPEG).then(() => (count += 1));
      await advance(1);
    }
    expect(made.length).toBeGreaterThan(25);
    expect(made.length).toBeLessThanOrEqual(30);
    expect(count).toBeGreaterThan(480);
  });

  test("frees everything when nobody asked for five seconds, and begins again for the next", async () => {
    const first = camera.frame(JPEG);
    await advance(0);
    await first;
    await advance(4999);
    expect([isLooking, rests]).toEqual([true, 0]);
    await advance(1);
    expect([isLooking, rests]).toEqual([false, 1]);
    const next = camera.frame(JPEG);
    await advance(0);
    expect(await next).toEqual(Uint8Array.of(2, 128));
    expect(isLooking).toBe(true);
  });

  test("passes on why there is no frame, and tries again for the next", async () => {
    broken = true;
    const failing = expect(camera.frame(JPEG)).rejects.toThrow("broken");
    await advance(0);
    await failing;
    broken = false;
    const next = camera.frame(JPEG);
    await advance(100);
    expect(await next).toEqual(Uint8Array.of(1, 128));
  });

  test("ends what waits when it closes, and refuses later frames", async () => {
    const waiting = expect(camera.frame(JPEG)).rejects.toMatchObject({ code: "shutting-down" });
    camera.close();
    await waiting;
    await expect(camera.frame(JPEG)).rejects.toMatchObject({ code: "shutting-down" });
    expect([isLooking, made]).toEqual([false, []]);
  });
});

test("a robot without a camera says so, and how to get one", async () => {
  await expect(NO_CAMERA.take()).rejects.toThrow(/no camera.*--camera FILE\.jpg/);
});
