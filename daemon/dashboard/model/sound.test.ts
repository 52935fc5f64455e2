import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { AudioClientMessage, AudioServerMessage } from "../../../robot/wire/audio-messages.ts";
import { loudnessOf, SoundModel } from "./sound.ts";
import { Toasts } from "./toasts.ts";

const status = (volume: number, listeners: number): AudioServerMessage => ({
  type: "status",
  room: 160_000,
  sample_rate: 16_000,
  channels: 1,
  volume,
  speaker: { kind: "browser", name: null, fault: null },
  microphone: { kind: "browser", name: null, fault: null, listeners },
  sounds: [],
});

let said: AudioClientMessage[];
let lent: number;
let sounding: number[];
let posted: { volume: number; answer(): void; refuse(): void }[];
let speak: (samples: Int16Array) => void;
let denied: Error | null;
let toasts: Toasts;
let sound: SoundModel;
beforeEach(() => {
  [said, lent, sounding, posted, denied, toasts] = [[], 0, [], [], null, new Toasts()];
  const unused = () => Promise.reject(new Error("not asked for"));
  sound = new SoundModel({
    client: {
      get: unused,
      put: unused,
      delete: unused,
      post: <T>(_: string, body: unknown) =>
        new Promise<T>((resolve, reject) => {
          const { volume } = body as { volume: number };
          posted.push({ volume, answer: () => resolve({} as T), refuse: () => reject(new Error("no")) });
        }),
    },
    toasts,
    say: (message) => void said.push(message),
    hear: () => {
      lent += 1;
    },
    openSpeaker: () => ({ play: ({ length }) => void sounding.push(length), close: () => {} }),
    openMicrophone: async (hear) => {
      if (denied) throw denied;
      speak = hear;
      return () => {};
    },
  });
});

test("the speaker sounds here only while it is on, and its loudness is always told", () => {
  const heard: number[] = [];
  const stop = sound.onLoudness((loudness) => void heard.push(loudness));
  sound.played(new Int16Array(10));
  sound.toggleSpeaker();
  sound.played(new Int16Array(20).fill(32_767));
  sound.toggleSpeaker();
  sound.played(new Int16Array(30));
  stop();
  sound.played(new Int16Array(40));
  expect(sounding).toEqual([20]);
  expect(heard).toEqual([0, expect.closeTo(1, 3), 0]);
});

test("a lent microphone is passed on while an app listens, and lent again to a daemon that comes back", async () => {
  await sound.toggleMicrophone();
  expect(sound.microphone.value).toBe("on");
  sound.told(status(80, 0));
  speak(new Int16Array(1));
  sound.told(status(80, 1));
  speak(new Int16Array(1));
  expect(lent).toBe(1);
  said.length = 0;
  sound.opened();
  expect(said).toEqual([
    { type: "listen", track: "speaker", on: true },
    { type: "lend_microphone", on: true },
  ]);
  await sound.toggleMicrophone();
  expect([sound.microphone.value, said.at(-1)]).toEqual(["off", { type: "lend_microphone", on: false }]);
});

test("a microphone that cannot be had says why", async () => {
  denied = new Error("The browser was not allowed to use the microphone.");
  await sound.toggleMicrophone();
  expect(sound.microphone.value).toBe("off");
  expect(toasts.list.value.map(({ text }) => text)).toEqual([denied.message]);
});

test("of a dragged slider only the newest place is sent, one at a time, and a refusal puts it back", async () => {
  sound.told(status(80, 0));
  const done = sound.setVolume(70);
  void sound.setVolume(60);
  void sound.setVolume(50);
  sound.told(status(70, 0));
  expect(sound.volume.value).toBe(50);
  posted[0]?.answer();
  await expect.poll(() => posted.length).toBe(2);
  posted[1]?.refuse();
  await done;
  expect(posted.map(({ volume }) => volume)).toEqual([70, 50]);
  expect(sound.volume.value).toBe(70);
});

test("loudness is a share, greater for what is louder", () => {
  fc.assert(
    fc.property(fc.int16Array({ minLength: 1 }), (samples) => {
      const [loud, quiet] = [loudnessOf(samples), loudnessOf(samples.map((sample) => sample / 2))];
      expect(quiet).toBeGreaterThanOrEqual(0);
      expect(loud).toBeGreaterThanOrEqual(quiet);
      expect(loud).toBeLessThanOrEqual(1);
    }),
  );
});
