import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { SharedBudget } from "../../../common/bounded.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { FRAME_SAMPLES } from "../../../robot/wire/audio/audio-frames.ts";
import { SampleQueue } from "./sample-queue.ts";
import { applyVolume, Speaker } from "./speaker.ts";

const ramp = (length: number, first = 0) => Int16Array.from({ length }, (_, i) => first + i);

let clock: ManualClock;
let speaker: Speaker;
let played: number[];
beforeEach(() => {
  clock = new ManualClock();
  speaker = new Speaker(clock, 100);
  played = [];
  speaker.listen((frame) => void played.push(...frame));
});

describe("a playback queue", () => {
  test("is played in order and in real time", () => {
    speaker.openQueue(2000).push(ramp(1000));
    clock.advance(0);
    expect(played).toHaveLength(FRAME_SAMPLES);
    clock.advance(20);
    expect(played).toHaveLength(2 * FRAME_SAMPLES);
    clock.advance(1000);
    expect(played).toEqual([...ramp(1000)]);
  });

  test("refuses samples beyond its capacity, and reports how many samples left it", () => {
    let removed = 0;
    const queue = speaker.openQueue(1000, (samples) => {
      removed += samples;
    });
    expect([queue.push(ramp(600)), queue.push(ramp(401)), queue.push(ramp(400))]).toEqual([true, false, true]);
    clock.advance(20);
    expect(removed).toBe(640);
    queue.clear();
    expect([removed, queue.length]).toEqual([1000, 0]);
    clock.advance(1000);
    expect(played).toHaveLength(640);
  });

  test("plays and takes nothing after it is closed", () => {
    const queue = speaker.openQueue(1000);
    queue.push(ramp(1000));
    clock.advance(0);
    queue.close();
    expect(queue.push(ramp(1))).toBe(false);
    clock.advance(1000);
    expect(played).toHaveLength(FRAME_SAMPLES);
  });

  test("has no gaps when it is filled in small pieces", () => {
    const queue = speaker.openQueue(1000);
    for (let at = 0; at < 900; at += 90) {
      queue.push(ramp(90, at));
      clock.advance(5);
    }
    clock.advance(100);
    expect(played).toEqual([...ramp(900)]);
  });
});

test("queues are added together, and their sum is clipped", () => {
  speaker.openQueue(10).push(Int16Array.of(1, 2, 30_000, -30_000));
  speaker.openQueue(10).push(Int16Array.of(10, 20, 30_000, -30_000, 5));
  clock.advance(0);
  expect(played).toEqual([11, 22, 32_767, -32_768, 5]);
});

test("a change of the volume takes effect immediately; 0 is silent", () => {
  const queue = speaker.openQueue(1000);
  queue.push(new Int16Array(1000).fill(10_000));
  speaker.volume = 50;
  clock.advance(0);
  speaker.volume = 0;
  clock.advance(20);
  expect([played[0], played[FRAME_SAMPLES]]).toEqual([2500, 0]);
});

test("after a pause of the machine playback continues without a burst", () => {
  let asleep = 0;
  const suspended = new Speaker(
    {
      now: () => clock.now() + asleep,
      unixTime: () => 0,
      after: (milliseconds, then) => clock.after(milliseconds, then),
    },
    100,
  );
  let frames = 0;
  suspended.listen(() => {
    frames += 1;
  });
  suspended.openQueue(100_000).push(new Int16Array(100_000));
  clock.advance(0);
  asleep = 60_000;
  clock.advance(20);
  expect(frames).toBeLessThanOrEqual(12);
  clock.advance(20);
  expect(frames).toBeLessThanOrEqual(13);
});

test("a sample queue behaves like an array for any pushed and taken samples", () => {
  const step = fc.oneof(
    fc.record({ push: fc.int16Array({ maxLength: 50 }) }),
    fc.record({ take: fc.nat(60) }),
    fc.constant({ clear: true }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [queue, capacity] = [new SampleQueue(100, new SharedBudget({ pieces: 1, bytes: 200 })), 100];
      let model: number[] = [];
      for (const next of steps) {
        if ("push" in next) {
          const fits = model.length + next.push.length <= capacity;
          expect(queue.push(next.push)).toBe(fits);
          if (fits) model.push(...next.push);
        } else if ("take" in next) {
          const sums = new Int32Array(next.take).fill(1000);
          const count = queue.mixInto(sums);
          const taken = model.splice(0, next.take);
          expect(count).toBe(taken.length);
          expect([...sums]).toEqual([...taken.map((sample) => sample + 1000), ...Array(next.take - count).fill(1000)]);
        } else {
          expect(queue.clear()).toBe(model.length);
          model = [];
        }
        expect(queue.length).toBe(model.length);
      }
    }),
  );
});

test("a mix fits in 16 bits, keeps its sign, and is quieter at a lower volume", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(100), fc.nat(100), (sum, one, other) => {
      const at = (volume: number) => applyVolume(Int32Array.of(sum), volume)[0] ?? Number.NaN;
      const [quiet, loud] = [at(Math.min(one, other)), at(Math.max(one, other))];
      expect(Math.abs(quiet)).toBeLessThanOrEqual(Math.abs(loud));
      expect(Math.sign(loud) * Math.sign(sum)).toBeGreaterThanOrEqual(0);
      expect(at(100)).toBe(Math.max(-32_768, Math.min(32_767, sum)));
    }),
  );
});

test("queues hold a sum of memory at most, however few samples come at a time, and give it back", () => {
  const shared = new SharedBudget({ pieces: 3, bytes: 3 * 2 * 1024 });
  const queues = Array.from({ length: 4 }, () => new SampleQueue(100_000, shared));
  const [first, , , last] = queues;
  const fit = queues.map((queue) => {
    let count = 0;
    while (queue.push(Int16Array.of(count % 100))) count += 1;
    return count;
  });
  expect(fit).toEqual([2048, 1024, 0, 0]);
  const sums = new Int32Array(2000);
  expect([first?.mixInto(sums), sums[99], sums[1999]]).toEqual([2000, 99, 99]);
  expect(last?.push(Int16Array.of(1))).toBe(false);
  expect(first?.clear()).toBe(48);
  expect(last?.push(Int16Array.of(1))).toBe(true);
  for (const queue of queues) queue.clear();
  expect(shared.bytes).toBe(0);
});
