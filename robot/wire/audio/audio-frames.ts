import { WorkbenchError } from "../errors.ts";

/** Samples a second, everywhere between app, daemon and dashboard; one channel. */
export const SAMPLE_RATE = 16_000;
/** 20 ms: the unit in which the speaker plays and the microphone records. */
export const FRAME_SAMPLES = 320;

/**
 * The track of a binary message of `/ws/audio`. Towards the daemon: `speaker` is played in the order of arrival, `sound` is
 * mixed with it, `microphone` becomes the simulated robot's microphone. From the daemon: what the robot plays and records.
 */
export const TRACKS = ["speaker", "sound", "microphone"] as const;
export type Track = (typeof TRACKS)[number];

/** The track's index and a zero, which keeps the samples at even offsets. */
const HEADER_BYTES = 2;

/** Samples as a binary message: header, then 16-bit integers, little-endian like every machine that Node runs on. */
export function encodeAudio(track: Track, samples: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + samples.byteLength);
  bytes[0] = TRACKS.indexOf(track);
  bytes.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), HEADER_BYTES);
  return bytes;
}

/** Decodes what `encodeAudio` made. @throws WorkbenchError `bad-request` for any other bytes */
export function decodeAudio(bytes: Uint8Array): { track: Track; samples: Int16Array } {
  const track = TRACKS[bytes[0] ?? -1];
  if (track === undefined || bytes[1] !== 0)
    throw new WorkbenchError(
      "bad-request",
      `audio: the message begins with ${[...bytes.subarray(0, 2)].join(", ") || "nothing"}; it must begin with a track, 0 to ${TRACKS.length - 1}, and a zero.`,
    );
  if (bytes.length % 2 !== 0)
    throw new WorkbenchError("bad-request", `audio: the message has ${bytes.length} bytes; samples are 2 bytes each.`);
  // A copy, since the bytes may start at an odd address; the slice of a Buffer would not be one.
  return { track, samples: new Int16Array(new Uint8Array(bytes.subarray(HEADER_BYTES)).buffer) };
}

/** Samples of -1 to 1 as 16-bit integers; louder ones are clipped. */
export const toPcm = (samples: Float32Array): Int16Array =>
  Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))));

/** 16-bit integers as samples of -1 to 1. */
export const fromPcm = (samples: Int16Array): Float32Array<ArrayBuffer> =>
  Float32Array.from(samples, (sample) => sample / 32_768);

/**
 * Converts samples to another rate. Each new sample is the mean of the old ones around it, weighted by a triangle as wide
 * as two samples of the lower rate: linear interpolation to a higher rate, a low-pass filter to a lower one.
 */
export function resample(samples: Float32Array, from: number, to: number): Float32Array<ArrayBuffer> {
  const reach = Math.max(1, from / to);
  return Float32Array.from({ length: Math.round((samples.length * to) / from) }, (_, i) => {
    const at = (i * from) / to;
    let [sum, weights] = [0, 0];
    const last = Math.min(samples.length - 1, Math.floor(at + reach));
    for (let near = Math.max(0, Math.ceil(at - reach)); near <= last; near += 1) {
      const weight = 1 - Math.abs(near - at) / reach;
      sum += weight * (samples[near] ?? 0);
      weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
  });
}
