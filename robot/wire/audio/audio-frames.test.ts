import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAudio, encodeAudio, fromPcm, resample, SAMPLE_RATE, TRACKS, toPcm } from "./audio-frames.ts";

const pcm = fc.int16Array();

describe("audio messages", () => {
  test("are decoded as they were encoded, at any memory offset", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TRACKS), pcm, fc.nat(3), (track, samples, offset) => {
        const bytes = encodeAudio(track, samples);
        const elsewhere = new Uint8Array(offset + bytes.length);
        elsewhere.set(bytes, offset);
        expect(decodeAudio(elsewhere.subarray(offset))).toEqual({ track, samples });
        expect(decodeAudio(Buffer.from(elsewhere.buffer).subarray(offset))).toEqual({ track, samples });
      }),
    );
  });

  test("have little-endian samples after two bytes", () => {
    expect([...encodeAudio("microphone", Int16Array.of(1, -2))]).toEqual([2, 0, 1, 0, 0xfe, 0xff]);
  });

  test("with other bytes are refused with `bad-request`", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const isAudio = bytes.length % 2 === 0 && bytes.length > 0 && (bytes[0] ?? 9) < TRACKS.length && bytes[1] === 0;
        if (isAudio) expect(decodeAudio(bytes).samples).toHaveLength(bytes.length / 2 - 1);
        else expect(() => decodeAudio(bytes)).toThrow(expect.objectContaining({ code: "bad-request" }));
      }),
    );
  });
});

describe("samples", () => {
  test("convert to -1 .. 1 and back without a change", () => {
    fc.assert(
      fc.property(pcm, (samples) => {
        expect(toPcm(fromPcm(samples))).toEqual(samples);
      }),
    );
  });

  test("that are too loud are clipped and do not wrap around", () => {
    expect([...toPcm(Float32Array.of(1, 7, -7))]).toEqual([32_767, 32_767, -32_768]);
  });

  test("keep a tone's pitch at another rate", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8000, max: 48_000 }), fc.integer({ min: 50, max: 1000 }), (rate, hertz) => {
        const tone = (samplesPerSecond: number) =>
          Float32Array.from({ length: samplesPerSecond }, (_, i) =>
            Math.sin((2 * Math.PI * hertz * i) / samplesPerSecond),
          );
        const heard = resample(tone(rate), rate, SAMPLE_RATE);
        expect(heard).toHaveLength(SAMPLE_RATE);
        // The last two samples have no successor to interpolate with.
        const errors = tone(SAMPLE_RATE)
          .subarray(0, -2)
          .map((wanted, i) => Math.abs(wanted - (heard[i] ?? 9)));
        expect(Math.max(...errors)).toBeLessThan(0.1);
      }),
      { numRuns: 10 },
    );
    expect(resample(new Float32Array(0), 8000, SAMPLE_RATE)).toHaveLength(0);
  });
});
