import { SAMPLE_RATE, toPcm } from "../../../robot/wire/audio/audio-frames.ts";
import type { BuiltInSound } from "../../../robot/wire/audio/audio-messages.ts";

/** A note: start and duration in seconds, pitch at its start and at its end in hertz. */
type Note = readonly [at: number, seconds: number, from: number, to: number];

/** The built-in sounds, as notes of a small bell. */
const NOTES: Record<BuiltInSound, readonly Note[]> = {
  wake_up: [
    [0, 0.35, 523, 523],
    [0.12, 0.35, 659, 659],
    [0.24, 0.35, 784, 784],
    [0.36, 0.8, 1047, 1055],
  ],
  sleep: [
    [0, 0.45, 784, 780],
    [0.2, 0.45, 659, 655],
    [0.4, 1, 523, 440],
  ],
  chime: [
    [0, 0.5, 880, 880],
    [0.15, 0.8, 1319, 1319],
  ],
  happy: [
    [0, 0.2, 659, 880],
    [0.14, 0.2, 784, 1047],
    [0.28, 0.45, 1047, 1319],
  ],
  confused: [
    [0, 0.3, 440, 392],
    [0.3, 0.6, 370, 554],
  ],
};

/** Amplitudes of the fundamental and its overtones; three simultaneous notes stay below full scale. */
const OVERTONES = [0.22, 0.07, 0.03];
const ATTACK_S = 0.012;
/** Fade at the end of each note, so that it ends without a click. */
const RELEASE_S = 0.03;

const cache = new Map<BuiltInSound, Int16Array>();

/** Returns the samples of a built-in sound, one to two seconds. */
export function soundSamples(name: BuiltInSound): Int16Array {
  const samples = cache.get(name) ?? toPcm(synthesize(NOTES[name]));
  cache.set(name, samples);
  return samples;
}

/** Adds decaying sine waves: the loudness of each note falls to a hundredth over its duration. */
function synthesize(notes: readonly Note[]): Float32Array {
  const end = Math.max(...notes.map(([at, seconds]) => at + seconds));
  const sum = new Float32Array(Math.ceil(end * SAMPLE_RATE));
  for (const [at, seconds, from, to] of notes) {
    const first = Math.round(at * SAMPLE_RATE);
    const count = Math.floor(seconds * SAMPLE_RATE);
    for (let i = 0; i < count; i += 1) {
      const t = i / SAMPLE_RATE;
      // The phase is the integral of a frequency that changes linearly.
      const phase = 2 * Math.PI * (from * t + ((to - from) * t * t) / (2 * seconds));
      const loudness = Math.min(1, t / ATTACK_S) * Math.min(1, (seconds - t) / RELEASE_S) * 0.01 ** (t / seconds);
      const wave = OVERTONES.reduce((total, amplitude, n) => total + amplitude * Math.sin((n + 1) * phase), 0);
      sum[first + i] = (sum[first + i] ?? 0) + loudness * wave;
    }
  }
  return sum;
}
