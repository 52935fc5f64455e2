import { expect, test } from "vitest";
import { FRAME_SAMPLES } from "../../robot/wire/audio-frames.ts";
import { ManualClock } from "../apps/testing/manual-clock.ts";
import { Microphone } from "./microphone.ts";
import { Room } from "./room.ts";

/** A microphone in a room, with what its listeners heard. */
function listening(recording = new Int16Array(0)) {
  const clock = new ManualClock();
  const room = new Room(clock, recording);
  let changes = 0;
  const microphone = new Microphone(room, () => {
    changes += 1;
  });
  const listen = () => {
    const heard: number[] = [];
    const stop = microphone.listen((samples) => void heard.push(...samples));
    return { heard, stop };
  };
  return { clock, room, microphone, listen, changes: () => changes };
}

test("a recording is heard again and again, from its beginning for whoever listens first", () => {
  const { clock, listen } = listening(Int16Array.from({ length: 100 }, (_, i) => i));
  const first = listen();
  clock.pass(20);
  const second = listen();
  clock.pass(20);
  first.stop();
  clock.pass(20);
  expect(first.heard).toEqual(Array.from({ length: 3 * FRAME_SAMPLES }, (_, i) => i % 100));
  expect(second.heard).toEqual(Array.from({ length: 2 * FRAME_SAMPLES }, (_, i) => (2 * FRAME_SAMPLES + i) % 100));
});

test("silence is heard at the pace of time, not at all when nobody listens", () => {
  const { clock, listen, microphone, changes } = listening();
  const one = listen();
  clock.pass(40);
  expect(one.heard).toEqual(Array(3 * FRAME_SAMPLES).fill(0));
  one.stop();
  one.stop();
  clock.pass(100);
  expect(one.heard).toHaveLength(3 * FRAME_SAMPLES);
  expect([microphone.listeners, changes()]).toEqual([0, 2]);
});

test("lent microphones are heard together in place of the recording, and not what was said before", () => {
  const { clock, listen, room } = listening(new Int16Array(10).fill(7));
  const [one, other] = [room.lend(), room.lend()];
  one.hear(new Int16Array(FRAME_SAMPLES).fill(99));
  const { heard } = listen();
  one.hear(new Int16Array(FRAME_SAMPLES).fill(1));
  other.hear(new Int16Array(100).fill(2));
  clock.pass(0);
  expect(heard).toEqual([...Array(100).fill(3), ...Array(FRAME_SAMPLES - 100).fill(1)]);
  one.takeBack();
  other.takeBack();
  clock.pass(20);
  expect(heard.slice(FRAME_SAMPLES)).toEqual(Array(FRAME_SAMPLES).fill(7));
});

test("a lent microphone that is ahead of the clock is cut, not kept", () => {
  const { clock, listen, room } = listening();
  const lent = room.lend();
  const { heard } = listen();
  for (let i = 0; i < 200; i += 1) lent.hear(new Int16Array(FRAME_SAMPLES).fill(i));
  clock.pass(2000);
  expect(heard.filter((sample) => sample !== 0).length).toBeLessThanOrEqual(8000);
});
