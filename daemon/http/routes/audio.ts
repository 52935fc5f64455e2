import { z } from "zod";
import { AudioStatus, BuiltInSound, Volume } from "../../../robot/wire/audio/audio-messages.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Audio } from "../../audio/audio.ts";
import { type Route, routesOf } from "../rest/route.ts";

const { get, post } = routesOf("audio");

const VolumeAnswer = z.object({
  volume: Volume,
  device: z.string().describe('ALSA\'s name of the device, or "browser"'),
  platform: z.string().describe("The machine's operating system, for example Linux"),
});
const SoundStarted = z.object({ status: z.literal("ok"), message: z.string() });

type RoutedAudio = Pick<Audio, "status" | "play" | "microphone" | "setVolume" | "setMicrophoneVolume">;

/** Routes for sound. Those of the volume have the public daemon's paths and fields. @param platform as `os.type()` */
export function audioRoutes(audio: RoutedAudio, platform: string): Route[] {
  const volume = () => {
    const { volume, speaker } = audio.status();
    return { volume, device: speaker.name ?? "browser", platform };
  };
  const microphoneVolume = () => {
    const { microphone } = audio.status();
    return { volume: audio.microphone.volume, device: microphone.name ?? "browser", platform };
  };
  const play = (sound: BuiltInSound) => {
    playSound(audio, sound);
    return { status: "ok", message: `The robot is playing ${sound}.` };
  };
  return [
    get("/api/audio/status", {
      summary: "The speaker, the microphone and the built-in sounds",
      result: AudioStatus,
      handle: () => audio.status(),
    }),
    post("/api/audio/play", {
      summary: "Play a built-in sound; a built-in sound that is playing ends",
      body: z.object({ sound: BuiltInSound }),
      result: SoundStarted,
      errors: ["audio-unavailable"],
      handle: ({ body }) => play(body.sound),
    }),
    get("/api/volume/current", {
      summary: "The volume of the speaker, 0 to 100",
      result: VolumeAnswer,
      handle: volume,
    }),
    post("/api/volume/set", {
      summary: "Set the volume of the speaker; a restart keeps it",
      body: z.object({ volume: Volume }),
      result: VolumeAnswer,
      errors: ["disk-full"],
      handle: async ({ body }) => {
        await audio.setVolume(body.volume);
        return volume();
      },
    }),
    get("/api/volume/microphone/current", {
      summary: "The volume of the microphone, 0 to 100; 100 leaves its samples as they are",
      result: VolumeAnswer,
      handle: microphoneVolume,
    }),
    post("/api/volume/microphone/set", {
      summary: "Set the volume of the microphone; a restart keeps it",
      body: z.object({ volume: Volume }),
      result: VolumeAnswer,
      errors: ["disk-full"],
      handle: async ({ body }) => {
        await audio.setMicrophoneVolume(body.volume);
        return microphoneVolume();
      },
    }),
    post("/api/volume/test-sound", {
      summary: "Play a chime",
      result: SoundStarted,
      errors: ["audio-unavailable"],
      handle: () => play("chime"),
    }),
  ];
}

/** Plays a built-in sound. @throws WorkbenchError `audio-unavailable` */
export function playSound(audio: Pick<Audio, "play" | "status">, sound: BuiltInSound): void {
  audio.play(sound);
  const { fault } = audio.status().speaker;
  if (fault !== null) throw new WorkbenchError("audio-unavailable", `The sound cannot be played: ${fault}`);
}
