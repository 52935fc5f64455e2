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
