import { z } from "zod";
import { SAMPLE_RATE } from "./audio-frames.ts";

/** Names of the robot's own sounds. */
export const BuiltInSound = z.enum(["wake_up", "sleep", "chime", "happy", "confused"]);
export type BuiltInSound = z.infer<typeof BuiltInSound>;

const PERCENT = { error: "a whole number from 0 to 100" };
/** Loudness of the speaker, 0 (silent) to 100. */
export const Volume = z.int().min(0, PERCENT).max(100, PERCENT);

const AudioEnd = z.object({
  kind: z.enum(["browser", "file", "device"]).describe("The dashboard, a WAV file, or a device of the machine"),
  name: z.string().nullable().describe("Of the device or file"),
  fault: z.string().nullable().describe("Why there is no sound, and what to do"),
});

/** State of the robot's speaker and microphone. */
export const AudioStatus = z.object({
  sample_rate: z.literal(SAMPLE_RATE).describe("Samples a second"),
  channels: z.literal(1),
  volume: Volume,
  speaker: AudioEnd,
  microphone: AudioEnd.extend({
    listeners: z.int().describe("Number of clients that record; the microphone is off without any"),
  }),
  sounds: z.array(BuiltInSound),
});
export type AudioStatus = z.infer<typeof AudioStatus>;

/**
 * The JSON messages of the audio socket `/ws/audio`, one object a WebSocket text message; binary messages are samples
 * (`encodeAudio`).
 */
export const AudioClientMessage = z.discriminatedUnion("type", [
  /** Starts or stops a copy of what the microphone records or the speaker plays. */
  z.object({ type: z.literal("listen"), track: z.enum(["microphone", "speaker"]), on: z.boolean() }),
  /** Offers a browser's microphone to the simulated robot, or withdraws it. */
  z.object({ type: z.literal("lend_microphone"), on: z.boolean() }),
  /** Plays one of the robot's sounds and stops the sound that this client started before. */
  z.object({ type: z.literal("play"), sound: BuiltInSound }),
  /** Drops the samples that are not played yet. */
  z.object({ type: z.literal("drop"), track: z.enum(["speaker", "sound"]) }),
]);
export type AudioClientMessage = z.infer<typeof AudioClientMessage>;

/** What the daemon sends: the status immediately and after every change, the rest when it happens. */
export type AudioServerMessage =
  | (AudioStatus & {
      type: "status" /** Number of `speaker` samples that the playback queue holds at most. */;
      room: number;
    })
  /** This many samples of `speaker` were played or dropped, so the queue has space for as many. */
  | { type: "played"; samples: number }
  | { type: "error"; code: string; detail: string };
