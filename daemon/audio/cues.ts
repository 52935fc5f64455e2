import type { SoundName } from "../../robot/wire/audio-messages.ts";
import type { RobotEvent } from "../control/robot.ts";
import type { Audio } from "./audio.ts";

/** What is heard with a move. */
const SOUND_OF_CUE: Readonly<Record<string, SoundName>> = { wake_up_sound: "wake_up", sleep_sound: "sleep" };

/** Plays the sound that goes with an event, if one does. */
export function soundCue(audio: Pick<Audio, "play">, { kind, data }: Pick<RobotEvent, "kind" | "data">): void {
  const sound = kind === "cue" ? SOUND_OF_CUE[String(data.cue)] : undefined;
  if (sound !== undefined) audio.play(sound);
}
