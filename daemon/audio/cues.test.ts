import { expect, test } from "vitest";
import type { SoundName } from "../../robot/wire/audio-messages.ts";
import { soundCue } from "./cues.ts";

test("waking and sleeping are heard, other moments are not", () => {
  const played: SoundName[] = [];
  const audio = { play: (sound: SoundName) => void played.push(sound) };
  for (const cue of ["wake_up_sound", "motors_off", "sleep_sound"]) soundCue(audio, { kind: "cue", data: { cue } });
  soundCue(audio, { kind: "move_started", data: {} });
  expect(played).toEqual(["wake_up", "sleep"]);
});
