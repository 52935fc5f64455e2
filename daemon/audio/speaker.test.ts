import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { FRAME_SAMPLES } from "../../robot/wire/audio-frames.ts";
import { ManualClock } from "../apps/testing/manual-clock.ts";
import { SampleQueue } from "./sample-queue.ts";
import { mixed, Speaker } from "./speaker.ts";

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

describe("a voice", () => {
  test("is played in its order at the pace of time", () => {
    speaker.voice(2000).push(ramp(1000));
    clock.pass(0);
    expect(played).toHaveLength(FRAME_SAMPLES);
    clock.pass(20);
    expect(played).toHaveLength(2 * FRAME_SAMPLES);
    clock.pass(1000);
    expect(played).toEqual([...ramp(1000)]);
  });

  test("takes no more than it has room for, and tells what has left", () => {
    let gone = 0;
    const voice = speaker.voice(1000, (samples) => {
      gone += samples;
    });
    expect([voice.push(ramp(600)), voice.push(ramp(401)), voice.push(ramp(400))]).toEqual([true, false, true]);
    clock.pass(20);
    expect(gone).toBe(640);
    voice.clear();
    expect([gone, voice.waiting]).toEqual([1000, 0]);
    clock.pass(1000);
    expect(played).toHaveLength(640);
  });

  test("that is closed is heard no more, nor takes anything", () => {
    const voice = speaker.voice(1000);
    voice.push(ramp(1000));
    clock.pass(0);
    voice.close();
    expect(voice.push(ramp(1))).toBe(false);
    clock.pass(1000);
    expect(played).toHaveLength(FRAME_SAMPLES);
  });

  test("that is fed bit by bit has no gaps", () => {
    const voice = speaker.voice(1000);
    for (let at = 0; at < 900; at += 90) {
      voice.push(ramp(90, at));
      clock.pass(5);
    }
    clock.pass(100);
    expect(played).toEqual([...ramp(900)]);
  });
});

test("voices sound together, and clip where they are too loud together", () => {
  speaker.voice(10).push(Int16Array.of(1, 2, 30_000, -30_000));
  speaker.voice(10).push(Int16Array.of(10, 20, 30_000, -30_000, 5));
  clock.pass(0);
  expect(played).toEqual([11, 22, 32_767, -32_768, 5]);
});

test("the volume counts while it plays; nothing is heard at 0", () => {
  const voice = speaker.voice(1000);
  voice.push(new Int16Array(1000).fill(10_000));
  speaker.volume = 50;
  clock.pass(0);
  speaker.volume = 0;
  clock.pass(20);
  expect([played[0], played[FRAME_SAMPLES]]).toEqual([2500, 0]);
});

test("after a pause of the machine it goes on where it was, not with a burst", () => {
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
  suspended.voice(100_000).push(new Int16Array(100_000));
  clock.pass(0);
  asleep = 60_000;
  clock.pass(20);
  expect(frames).toBeLessThanOrEqual(12);
  clock.pass(20);
  expect(frames).toBeLessThanOrEqual(13);
});

test("a queue is a queue, whatever goes in and out in whatever pieces", () => {
  const step = fc.oneof(
    fc.record({ push: fc.int16Array({ maxLength: 50 }) }),
    fc.record({ take: fc.nat(60) }),
    fc.constant({ clear: true }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [queue, room] = [new SampleQueue(100), 100];
      let model: number[] = [];
      for (const next of steps) {
        if ("push" in next) {
          const fits = model.length + next.push.length <= room;
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

test("a mix stays in 16 bits, keeps signs, and is quieter at a lower volume", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(100), fc.nat(100), (sum, one, other) => {
      const at = (volume: number) => mixed(Int32Array.of(sum), volume)[0] ?? Number.NaN;
      const [quiet, loud] = [at(Math.min(one, other)), at(Math.max(one, other))];
      expect(Math.abs(quiet)).toBeLessThanOrEqual(Math.abs(loud));
      expect(Math.sign(loud) * Math.sign(sum)).toBeGreaterThanOrEqual(0);
      expect(at(100)).toBe(Math.max(-32_768, Math.min(32_767, sum)));
    }),
  );
});
