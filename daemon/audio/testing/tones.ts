import { SAMPLE_RATE } from "../../../robot/wire/audio/audio-frames.ts";

/** Returns a sine tone at half of full scale. @param rate samples per second */
export const tone = (hertz: number, seconds: number, rate = SAMPLE_RATE): Int16Array =>
  Int16Array.from({ length: seconds * rate }, (_, i) => 16_384 * Math.sin((2 * Math.PI * hertz * i) / rate));

/** Returns the share of the samples' power at this pitch, 0 to 1. */
export function pitchShare(samples: ArrayLike<number>, hertz: number): number {
  let [real, imaginary, power] = [0, 0, 0];
  for (let i = 0; i < samples.length; i += 1) {
    const [sample, phase] = [samples[i] ?? 0, (2 * Math.PI * hertz * i) / SAMPLE_RATE];
    real += sample * Math.cos(phase);
    imaginary += sample * Math.sin(phase);
    power += sample * sample;
  }
  return power === 0 ? 0 : (2 * (real * real + imaginary * imaginary)) / (samples.length * power);
}

/** Returns a WAV file of 16-bit integers with the same samples in each channel. @param rate samples per second */
export function wavFile(samples: Int16Array, rate: number, channels: number): Buffer {
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
