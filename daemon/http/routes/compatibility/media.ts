import { z } from "zod";
import { BuiltInSound } from "../../../../robot/wire/audio/audio-messages.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { Audio } from "../../../audio/audio.ts";
import { type Route, routesOf } from "../../rest/route.ts";
import type { MediaLease } from "../../sockets/sdk/media-lease.ts";

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
  const post = (path: string, summary: string, work: () => void): Route =>
    audioSection.post(path, {
      summary,
      result: Ok,
      handle: () => {
        work();
        return ok();
      },
    });
  return [
    post("/api/media/release", "Say that a program uses camera and sound directly", () => media.release()),
    post("/api/media/acquire", "Say that it no longer does", () => media.acquire()),
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
        audio.play(soundNamed(body.file));
        const { fault } = audio.status().speaker;
        if (fault !== null) throw new WorkbenchError("audio-unavailable", `The sound cannot be played: ${fault}`);
        return ok();
      },
    }),
    audioSection.get("/api/media/sounds", {
      summary: "The sounds that can be played by name",
      result: z.object({ files: z.array(z.string()) }),
      handle: () => ({ files: BuiltInSound.options.map((name) => `${name}.wav`) }),
    }),
    post("/api/media/wobbling/enable", "Accepted; programs send the head's offsets of their own sound", () => {}),
    post("/api/media/wobbling/disable", "Accepted", () => {}),
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
