import { z } from "zod";
import { BuiltInSound } from "../../../../robot/wire/audio/audio-messages.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { Audio } from "../../../audio/audio.ts";
import { type Route, routesOf } from "../../rest/route.ts";
import type { MediaLease } from "../../sockets/sdk/daemon-status.ts";
import { playSound } from "../audio.ts";

const audioSection = routesOf("audio");
const robotSection = routesOf("robot");

const Ok = z.object({ status: z.literal("ok") });
const ok = () => ({ status: "ok" as const });
const NO_FACE = { detected: false, x: null, y: null, roll: null, ts: null };

/**
 * Routes of the public daemon for camera and sound. Releasing and acquiring are noted and shown in the status; programs
 * share the robot's speaker and microphone here, so that nothing has to be given back.
 */
export function mediaRoutes(audio: Pick<Audio, "play" | "status">, media: MediaLease): Route[] {
  const release = (path: string, summary: string, isReleased: boolean): Route =>
    audioSection.post(path, {
      summary,
      result: Ok,
      handle: () => {
        media.isReleased = isReleased;
        return ok();
      },
    });
  return [
    release("/api/media/release", "Say that a program uses camera and sound directly", true),
    release("/api/media/acquire", "Say that it no longer does", false),
    audioSection.get("/api/media/status", {
      summary: "Whether the daemon serves camera and sound to the public SDK, and whether they are released",
      result: z.object({ available: z.boolean(), released: z.boolean(), no_media: z.boolean() }),
      handle: () => ({ available: false, released: media.isReleased, no_media: true }),
    }),
    audioSection.post("/api/media/play_sound", {
      summary: "Play a built-in sound by its name, with or without .wav",
      body: z.object({ file: z.string() }),
      result: Ok,
      errors: ["bad-request", "audio-unavailable"],
      handle: ({ body }) => {
        playSound(audio, soundNamed(body.file));
        return ok();
      },
    }),
    audioSection.get("/api/media/sounds", {
      summary: "The sounds that can be played by name",
      result: z.object({ files: z.array(z.string()) }),
      handle: () => ({ files: BuiltInSound.options.map((name) => `${name}.wav`) }),
    }),
    audioSection.post("/api/media/wobbling/enable", {
      summary: "Accepted; programs send the head's offsets of their own sound",
      result: Ok,
      handle: ok,
    }),
    audioSection.post("/api/media/wobbling/disable", { summary: "Accepted", result: Ok, handle: ok }),
    robotSection.post("/api/media/tracking/enable", {
      summary: "Answers unavailable: there is no picture to find a face in",
      body: z.object({ weight: z.number().min(0).max(1).default(1) }),
      result: z.object({ status: z.literal("unavailable"), enabled: z.literal(false) }),
      handle: () => ({ status: "unavailable", enabled: false }),
    }),
    robotSection.post("/api/media/tracking/disable", {
      summary: "Accepted",
      result: Ok.extend({ enabled: z.literal(false) }),
      handle: () => ({ ...ok(), enabled: false }),
    }),
    robotSection.get("/api/media/tracking/face", {
      summary: "The face that is tracked: none",
      result: Ok.extend({ face_target: z.object({ detected: z.literal(false) }).catchall(z.null()) }),
      handle: () => ({ ...ok(), face_target: NO_FACE }),
    }),
  ];
}

/** @throws WorkbenchError `bad-request` with the names that there are */
function soundNamed(file: string): BuiltInSound {
  const name = BuiltInSound.options.find((each) => each === file.replace(/\.wav$/, ""));
  if (name !== undefined) return name;
  const names = BuiltInSound.options.map((each) => `${each}.wav`).join(", ");
  throw new WorkbenchError("bad-request", `There is no sound ${JSON.stringify(file)}. The sounds are ${names}.`);
}
