import { z } from "zod";
import { SAMPLE_RATE } from "./audio-frames.ts";

/** Names of the robot's own sounds. */
export const SoundName = z.enum(["wake_up", "sleep", "chime", "happy", "confused"]);
export type SoundName = z.infer<typeof SoundName>;

const PERCENT = { error: "a whole number from 0 to 100" };
/** Loudness of the speaker, 0 (silent) to 100. */
export const Volume = z.int().min(0, PERCENT).max(100, PERCENT);

const End = z.object({
  kind: z.enum(["browser", "file", "device"]).describe("The dashboard, a WAV file, or a device of the machine"),
  name: z.string().nullable().describe("Of the device or file"),
  fault: z.string().nullable().describe("Why nothing is heard, and what to do"),
});

/** How the robot's ear and voice are doing. */
export const AudioStatus = z.object({
  sample_rate: z.literal(SAMPLE_RATE).describe("Samples a second"),
  channels: z.literal(1),
  volume: Volume,
  speaker: End,
  microphone: End.extend({ listeners: z.int().describe("Who records; the microphone is off when nobody does") }),
  sounds: z.array(SoundName),
});
export type AudioStatus = z.infer<typeof AudioStatus>;

/**
 * The JSON messages of the audio socket `/ws/audio`, one object a WebSocket text message; binary messages are samples
 * (`encodeAudio`).
 */
export const AudioClientMessage = z.discriminatedUnion("type", [
  /** Asks for what the microphone hears or the speaker plays, or no longer. */
  z.object({ type: z.literal("listen"), track: z.enum(["microphone", "speaker"]), on: z.boolean() }),
  /** Lends the simulated robot a microphone, or takes it back. */
  z.object({ type: z.literal("lend_microphone"), on: z.boolean() }),
  /** Plays a sound of the robot's own, in place of the client's sound before it. */
  z.object({ type: z.literal("play"), sound: SoundName }),
  /** Drops what waits to be played. */
  z.object({ type: z.literal("drop"), track: z.enum(["speaker", "sound"]) }),
]);
export type AudioClientMessage = z.infer<typeof AudioClientMessage>;

/** What the daemon says: the status at once and whenever it changes, the rest when it happens. */
export type AudioServerMessage =
  | (AudioStatus & { type: "status" /** Samples of `speaker` that may wait to be played. */; room: number })
  /** So many samples of `speaker` have been played or dropped, which makes room for as many. */
  | { type: "played"; samples: number }
  | { type: "error"; code: string; detail: string };
