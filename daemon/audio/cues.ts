import type { BuiltInSound } from "../../robot/wire/audio/audio-messages.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import type { Audio } from "./audio.ts";

/** The sound that goes with a cue of a move. */
const SOUND_OF_CUE: Readonly<Record<string, BuiltInSound>> = { wake_up_sound: "wake_up", sleep_sound: "sleep" };

/** Plays the sound that goes with a robot event, if there is one. */
export function playCueSound(audio: Pick<Audio, "play">, { kind, data }: Pick<RobotEvent, "kind" | "data">): void {
  const sound = kind === "cue" ? SOUND_OF_CUE[String(data.cue)] : undefined;
  if (sound !== undefined) audio.play(sound);
}
