import { z } from "zod";
import { AudioStatus, SoundName, Volume } from "../../../robot/wire/audio-messages.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Audio } from "../../audio/audio.ts";
import { type Route, route } from "../route.ts";

const VolumeAnswer = z.object({
  volume: Volume,
  device: z.string().describe('ALSA\'s name of the device, or "browser"'),
  platform: z.string().describe("The machine's operating system, for example Linux"),
});
const Played = z.object({ status: z.literal("ok"), message: z.string() });

/** The robot's voice and ear. Paths and shapes of the volume are the public peer's. @param platform as `os.type()` */
export function audioRoutes(audio: Audio, platform: string): Route[] {
  const volume = () => {
    const { volume, speaker } = audio.status();
    return { volume, device: speaker.name ?? "browser", platform };
  };
  const play = (sound: SoundName) => {
    audio.play(sound);
    const { fault } = audio.status().speaker;
    if (fault !== null) throw new WorkbenchError("audio-unavailable", `Nothing is heard: ${fault}`);
    return { status: "ok", message: `The robot plays ${sound}.` };
  };
  return [
    route({
      method: "get",
      path: "/api/audio/status",
      summary: "What the robot speaks through and hears with, and its sounds",
      tag: "audio",
      result: AudioStatus,
      errors: [],
      handle: () => audio.status(),
    }),
    route({
      method: "post",
      path: "/api/audio/play",
      summary: "Play one of the robot's own sounds, in place of the one before",
      tag: "audio",
      body: z.object({ sound: SoundName }),
      result: Played,
      errors: ["audio-unavailable"],
      handle: ({ body }) => play(body.sound),
    }),
    route({
      method: "get",
      path: "/api/volume/current",
      summary: "The volume of the speaker, 0 to 100",
      tag: "audio",
      result: VolumeAnswer,
      errors: [],
      handle: volume,
    }),
    route({
      method: "post",
      path: "/api/volume/set",
      summary: "Set the volume of the speaker; it is kept over restarts",
      tag: "audio",
      body: z.object({ volume: Volume }),
      result: VolumeAnswer,
      errors: [],
      handle: async ({ body }) => {
        await audio.setVolume(body.volume);
        return volume();
      },
    }),
    route({
      method: "post",
      path: "/api/volume/test-sound",
      summary: "Play a chime",
      tag: "audio",
      result: Played,
      errors: ["audio-unavailable"],
      handle: () => play("chime"),
    }),
  ];
}
