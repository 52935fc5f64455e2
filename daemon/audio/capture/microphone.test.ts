import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { FRAME_SAMPLES } from "../../../robot/wire/audio/audio-frames.ts";
import { Microphone, VirtualMicrophone } from "./microphone.ts";

/** Creates a virtual microphone whose listeners collect their samples. */
function createMicrophone(recording = new Int16Array(0)) {
  const clock = new ManualClock();
  const source = new VirtualMicrophone(clock, recording);
  let changes = 0;
  const microphone = new Microphone(source, () => {
    changes += 1;
  });
  const listen = () => {
    const received: number[] = [];
    const stop = microphone.listen((samples) => void received.push(...samples));
    return { received, stop };
  };
  return { clock, source, microphone, listen, changes: () => changes };
}

test("a recording plays in a loop and starts with the first listener", () => {
  const { clock, listen } = createMicrophone(Int16Array.from({ length: 100 }, (_, i) => i));
  const first = listen();
  clock.advance(20);
  const second = listen();
  clock.advance(20);
  first.stop();
  clock.advance(20);
  expect(first.received).toEqual(Array.from({ length: 3 * FRAME_SAMPLES }, (_, i) => i % 100));
  expect(second.received).toEqual(Array.from({ length: 2 * FRAME_SAMPLES }, (_, i) => (2 * FRAME_SAMPLES + i) % 100));
});

test("silence arrives in real time and stops with the last listener", () => {
  const { clock, listen, microphone, changes } = createMicrophone();
  const one = listen();
  clock.advance(40);
  expect(one.received).toEqual(Array(3 * FRAME_SAMPLES).fill(0));
  one.stop();
  one.stop();
  clock.advance(100);
  expect(one.received).toHaveLength(3 * FRAME_SAMPLES);
  expect([microphone.listeners, changes()]).toEqual([0, 2]);
});

test("feeds are mixed and replace the recording; samples before the first listener are dropped", () => {
  const { clock, listen, source } = createMicrophone(new Int16Array(10).fill(7));
  const [one, other] = [source.openFeed(), source.openFeed()];
  one.push(new Int16Array(FRAME_SAMPLES).fill(99));
  const { received } = listen();
  one.push(new Int16Array(FRAME_SAMPLES).fill(1));
  other.push(new Int16Array(100).fill(2));
  clock.advance(0);
  expect(received).toEqual([...Array(100).fill(3), ...Array(FRAME_SAMPLES - 100).fill(1)]);
  one.close();
  other.close();
  clock.advance(20);
  expect(received.slice(FRAME_SAMPLES)).toEqual(Array(FRAME_SAMPLES).fill(7));
});

test("a feed that is ahead of real time loses samples", () => {
  const { clock, listen, source } = createMicrophone();
  const feed = source.openFeed();
  const { received } = listen();
  for (let i = 0; i < 200; i += 1) feed.push(new Int16Array(FRAME_SAMPLES).fill(i));
  clock.advance(2000);
  expect(received.filter((sample) => sample !== 0).length).toBeLessThanOrEqual(8000);
});

test("the volume scales what listeners hear, as the ear takes it", () => {
  const { clock, microphone, listen } = createMicrophone(new Int16Array(FRAME_SAMPLES).fill(10_000));
  const { received } = listen();
  for (const volume of [100, 50, 0]) {
    microphone.volume = volume;
    clock.advance(20);
  }
  // The first frame comes at once, at full volume.
  expect([0, 1, 2, 3].map((frame) => received[frame * FRAME_SAMPLES])).toEqual([10_000, 10_000, 2_500, 0]);
});
