import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { AudioClientMessage, AudioServerMessage } from "../../robot/wire/audio/audio-messages.ts";
import { Toasts } from "../shell/toasts.ts";
import { AudioModel, loudnessOf } from "./audio-model.ts";

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

let sent: AudioClientMessage[];
let microphoneChunks: number;
let played: number[];
let posted: { volume: number; answer(): void; refuse(): void }[];
let speak: (samples: Int16Array) => void;
let denied: Error | null;
let toasts: Toasts;
let audio: AudioModel;
beforeEach(() => {
  [sent, microphoneChunks, played, posted, denied, toasts] = [[], 0, [], [], null, new Toasts()];
  const unused = () => Promise.reject(new Error("not requested"));
  audio = new AudioModel({
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
    send: (message) => void sent.push(message),
    sendMicrophone: () => {
      microphoneChunks += 1;
    },
    openSpeaker: () => ({ play: ({ length }) => void played.push(length), close: () => {} }),
    openMicrophone: async (onSamples) => {
      if (denied) throw denied;
      speak = onSamples;
      return () => {};
    },
  });
});

test("the speaker plays here only while it is on; its loudness is reported always", () => {
  const loudness: number[] = [];
  const stop = audio.loudness.on((value) => void loudness.push(value));
  audio.speaker(new Int16Array(10));
  audio.toggleSpeaker();
  audio.speaker(new Int16Array(20).fill(32_767));
  audio.toggleSpeaker();
  audio.speaker(new Int16Array(30));
  stop();
  audio.speaker(new Int16Array(40));
  expect(played).toEqual([20]);
  expect(loudness).toEqual([0, expect.closeTo(1, 3), 0]);
});

test("the microphone is sent only while an app records, and lent again after a reconnection", async () => {
  await audio.toggleMicrophone();
  expect(audio.microphone.value).toBe("on");
  audio.message(status(80, 0));
  speak(new Int16Array(1));
  audio.message(status(80, 1));
  speak(new Int16Array(1));
  expect(microphoneChunks).toBe(1);
  sent.length = 0;
  audio.opened();
  expect(sent).toEqual([
    { type: "listen", track: "speaker", on: true },
    { type: "lend_microphone", on: true },
  ]);
  await audio.toggleMicrophone();
  expect([audio.microphone.value, sent.at(-1)]).toEqual(["off", { type: "lend_microphone", on: false }]);
});

test("a denied microphone shows why", async () => {
  denied = new Error("The browser was not allowed to use the microphone.");
  await audio.toggleMicrophone();
  expect(audio.microphone.value).toBe("off");
  expect(toasts.list.value.map(({ text }) => text)).toEqual([denied.message]);
});

test("a dragged slider sends only its newest position, one at a time; a refusal restores the volume", async () => {
  audio.message(status(80, 0));
  const done = audio.setVolume(70);
  void audio.setVolume(60);
  void audio.setVolume(50);
  audio.message(status(70, 0));
  expect(audio.volume.value).toBe(50);
  posted[0]?.answer();
  await expect.poll(() => posted.length).toBe(2);
  posted[1]?.refuse();
  await done;
  expect(posted.map(({ volume }) => volume)).toEqual([70, 50]);
  expect(audio.volume.value).toBe(70);
});

test("loudness is between 0 and 1, and grows with the amplitude", () => {
  fc.assert(
    fc.property(fc.int16Array({ minLength: 1 }), (samples) => {
      const [loud, quiet] = [loudnessOf(samples), loudnessOf(samples.map((sample) => sample / 2))];
      expect(quiet).toBeGreaterThanOrEqual(0);
      expect(loud).toBeGreaterThanOrEqual(quiet);
      expect(loud).toBeLessThanOrEqual(1);
    }),
  );
});
