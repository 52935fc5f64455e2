import { resample, SAMPLE_RATE, toPcm } from "../../../robot/wire/audio/audio-frames.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Format codes of integer samples, and of samples with an extended header; RFC 2361 and Microsoft's WAVEFORMATEX. */
const PCM = 1;
const EXTENSIBLE = 0xfffe;
const MAX_SECONDS = 600;

/**
 * Converts a WAV file to mono at `SAMPLE_RATE`. The file may have any rate and number of channels, 16-bit integers, and
 * at most ten minutes.
 * @param name of the file, for messages
 * @throws WorkbenchError `usage` for any other file
 */
export function readWav(bytes: Uint8Array, name: string): Int16Array {
  const refuse = (what: string): never => {
    throw new WorkbenchError(
      "usage",
      `${name} ${what}; make one with: ffmpeg -i ${name} -ac 1 -ar ${SAMPLE_RATE} -c:a pcm_s16le microphone.wav`,
    );
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (text(0) !== "RIFF" || text(8) !== "WAVE") refuse("is not a WAV file");
  let format: { code: number; channels: number; rate: number; bits: number } | undefined;
  // Each chunk: name, length, that many bytes, padding to an even number; RIFF, "Multimedia Programming Interface".
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [name, length, start] = [text(at), view.getUint32(at + 4, true), at + 8];
    if (name === "fmt " && length >= 16 && start + 16 <= bytes.length)
      format = {
        code: view.getUint16(start, true),
        channels: view.getUint16(start + 2, true),
        rate: view.getUint32(start + 4, true),
        bits: view.getUint16(start + 14, true),
      };
    if (name === "data" && format !== undefined) {
      const { code, channels, rate, bits } = format;
      if ((code !== PCM && code !== EXTENSIBLE) || bits !== 16 || channels === 0 || rate === 0)
        return refuse(`has ${bits}-bit samples of format ${code}; only 16-bit integers are supported`);
      const frames = Math.floor(Math.min(length, bytes.length - start) / (2 * channels));
      if (frames === 0) refuse("has no samples");
      if (frames > MAX_SECONDS * rate)
        refuse(`is ${Math.round(frames / rate)} s long; the maximum is ${MAX_SECONDS} s`);
      return toPcm(resample(toMono(view, start, frames, channels), rate, SAMPLE_RATE));
    }
    at = start + length + (length % 2);
  }
  return refuse("has no samples");
}

/** Returns the mean of the channels, -1 to 1. */
function toMono(view: DataView, start: number, frames: number, channels: number): Float32Array {
  return Float32Array.from({ length: frames }, (_, frame) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1)
      sum += view.getInt16(start + 2 * (frame * channels + channel), true);
    return sum / channels / 32_768;
  });
}

/** Returns a WAV file of 16-bit integers with the same samples in each channel. @param rate samples per second */
export function wavFile(samples: Int16Array, rate: number, channels = 1): Buffer {
  const data = Buffer.from(
    Int16Array.from({ length: samples.length * channels }, (_, i) => samples[Math.floor(i / channels)] ?? 0).buffer,
  );
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
