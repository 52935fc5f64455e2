import { expect, test } from "vitest";
import type { BuiltInSound } from "../../robot/wire/audio/audio-messages.ts";
import { playCueSound } from "./cues.ts";

test("wake-up and sleep cues play their sound, other events play nothing", () => {
  const played: BuiltInSound[] = [];
  const audio = { play: (sound: BuiltInSound) => void played.push(sound) };
  for (const cue of ["wake_up_sound", "motors_off", "sleep_sound"]) playCueSound(audio, { kind: "cue", data: { cue } });
  playCueSound(audio, { kind: "move_started", data: {} });
  expect(played).toEqual(["wake_up", "sleep"]);
});
