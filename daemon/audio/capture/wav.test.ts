import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SAMPLE_RATE } from "../../../robot/wire/audio/audio-frames.ts";
import { BuiltInSound } from "../../../robot/wire/audio/audio-messages.ts";
import { soundSamples } from "../playback/sounds.ts";
import { pitchShare, tone } from "../testing/tones.ts";
import { readWav, wavFile } from "./wav.ts";

describe("a WAV file", () => {
  test("keeps its samples at the robot's own rate", () => {
    const samples = tone(440, 0.1);
    expect(readWav(wavFile(samples, SAMPLE_RATE, 1), "a.wav")).toEqual(samples);
  });

  test.each([
    [8000, 1],
    [22_050, 2],
    [44_100, 2],
    [48_000, 3],
  ])("keeps its pitch and length at %i Hz with %i channels", (rate, channels) => {
    const samples = readWav(wavFile(tone(1000, 0.5, rate), rate, channels), "a.wav");
    expect(samples.length).toBeCloseTo(SAMPLE_RATE / 2, -1);
    expect(pitchShare(samples, 1000)).toBeGreaterThan(0.95);
  });

  test("may hold other chunks before its samples", () => {
    const file = wavFile(tone(440, 0.1), SAMPLE_RATE, 1);
    const chunk = Buffer.from("LIST\x03\0\0\0abc\0", "latin1");
    const padded = Buffer.concat([file.subarray(0, 36), chunk, file.subarray(36)]);
    expect(readWav(padded, "a.wav")).toEqual(tone(440, 0.1));
  });

  test.each([
    ["text", Buffer.from("hello"), "is not a WAV file"],
    ["a picture's container", Buffer.from("RIFF\0\0\0\0WEBPVP8 "), "is not a WAV file"],
    ["no samples", wavFile(new Int16Array(0), SAMPLE_RATE, 1), "has no samples"],
    ["floats", floats(), "has 32-bit samples of format 3"],
  ])("of %s is refused, and the message shows how to convert it", (_, bytes, why) => {
    expect(() => readWav(bytes, "a.wav")).toThrow(why);
    expect(() => readWav(bytes, "a.wav")).toThrow("ffmpeg -i a.wav");
  });

  test("that is damaged is either read or refused with `usage`", () => {
    const file = wavFile(tone(440, 0.01), SAMPLE_RATE, 1);
    const damage = fc.array(fc.tuple(fc.nat(43), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
    fc.assert(
      fc.property(damage, fc.nat(file.length), (bytes, end) => {
        const damaged = Buffer.from(file);
        for (const [at, value] of bytes) damaged[at] = value;
        try {
          expect(readWav(damaged.subarray(0, end), "a.wav")).toBeInstanceOf(Int16Array);
        } catch (error) {
          expect(error).toMatchObject({ code: "usage" });
        }
      }),
    );
  });
});

function floats(): Buffer {
  const file = wavFile(tone(440, 0.1), SAMPLE_RATE, 1);
  file.writeUInt16LE(3, 20);
  file.writeUInt16LE(32, 34);
  return file;
}

test.each(BuiltInSound.options)("the sound %s starts and ends silent and does not clip", (name) => {
  const samples = soundSamples(name);
  const loudest = Math.max(...samples.map(Math.abs));
  expect(samples.length).toBeLessThan(2 * SAMPLE_RATE);
  expect(loudest).toBeGreaterThan(3000);
  expect(loudest).toBeLessThan(32_000);
  for (const end of [samples.subarray(0, 4), samples.subarray(-4)])
    expect(Math.max(...end.map(Math.abs))).toBeLessThan(loudest / 20);
});
