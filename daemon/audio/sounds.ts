import { SAMPLE_RATE, toPcm } from "../../robot/wire/audio-frames.ts";
import type { SoundName } from "../../robot/wire/audio-messages.ts";

/** A note: when it begins and how long it can be heard (seconds), from which to which pitch it glides (hertz). */
type Note = readonly [at: number, seconds: number, from: number, to: number];

/** The robot's own sounds, as notes of a small bell. */
const SCORES: Record<SoundName, readonly Note[]> = {
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

/** Amplitudes of the fundamental and its overtones; three voices of them stay below full scale. */
const OVERTONES = [0.22, 0.07, 0.03];
const ATTACK_S = 0.012;
/** Of the end of each note, so that it ends without a click. */
const RELEASE_S = 0.03;

const made = new Map<SoundName, Int16Array>();

/** The samples of a sound; a second or two. */
export function soundOf(name: SoundName): Int16Array {
  const samples = made.get(name) ?? toPcm(synthesized(SCORES[name]));
  made.set(name, samples);
  return samples;
}

/** Sines that fade away: each note's loudness falls to a hundredth from its beginning to its end. */
function synthesized(score: readonly Note[]): Float32Array {
  const end = Math.max(...score.map(([at, seconds]) => at + seconds));
  const sum = new Float32Array(Math.ceil(end * SAMPLE_RATE));
  for (const [at, seconds, from, to] of score) {
    const first = Math.round(at * SAMPLE_RATE);
    const count = Math.floor(seconds * SAMPLE_RATE);
    for (let i = 0; i < count; i += 1) {
      const t = i / SAMPLE_RATE;
      // The phase is the integral of a frequency that goes straight from one to the other.
      const phase = 2 * Math.PI * (from * t + ((to - from) * t * t) / (2 * seconds));
      const loudness = Math.min(1, t / ATTACK_S) * Math.min(1, (seconds - t) / RELEASE_S) * 0.01 ** (t / seconds);
      const wave = OVERTONES.reduce((total, amplitude, n) => total + amplitude * Math.sin((n + 1) * phase), 0);
      sum[first + i] = (sum[first + i] ?? 0) + loudness * wave;
    }
  }
  return sum;
}
