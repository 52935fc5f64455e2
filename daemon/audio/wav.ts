import { resample, SAMPLE_RATE, toPcm } from "../../robot/wire/audio-frames.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/** The format code of integer samples, and of those that tell it elsewhere; RFC 2361 and Microsoft's WAVEFORMATEX. */
const PCM = 1;
const EXTENSIBLE = 0xfffe;
const MAX_SECONDS = 600;

/**
 * The samples of a WAV file as the robot hears them: one channel at its own rate. Any rate and number of channels,
 * 16-bit integers, at most ten minutes.
 * @param name of the file, for messages
 * @throws `usage` when it is something else
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
  if (text(0) !== "RIFF" || text(8) !== "WAVE") refuse("is no WAV file");
  let format: { code: number; channels: number; rate: number; bits: number } | undefined;
  // Chunks of a name, a length and so many bytes, padded to an even number; RIFF, "Multimedia Programming Interface".
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
        return refuse(`has ${bits}-bit samples of format ${code}; 16-bit integers are needed`);
      const frames = Math.floor(Math.min(length, bytes.length - start) / (2 * channels));
      if (frames === 0) refuse("has no samples");
      if (frames > MAX_SECONDS * rate) refuse(`is ${Math.round(frames / rate)} s long, at most ${MAX_SECONDS} s fit`);
      return toPcm(resample(monoOf(view, start, frames, channels), rate, SAMPLE_RATE));
    }
    at = start + length + (length % 2);
  }
  return refuse("has no samples");
}

/** The mean of the channels, -1 to 1. */
function monoOf(view: DataView, start: number, frames: number, channels: number): Float32Array {
  return Float32Array.from({ length: frames }, (_, frame) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1)
      sum += view.getInt16(start + 2 * (frame * channels + channel), true);
    return sum / channels / 32_768;
  });
}
