import { TRACKS } from "../../../robot/wire/audio/audio-frames.ts";
import { parsePythonJson } from "../../evidence/parse-python-json.ts";

/** The type of a message as the daemon reads it, which is not always the first one in its text. */
export function messageTypeOf(text: string): string {
  const type = (parsePythonJson(text) as { type?: unknown } | null | undefined)?.type;
  return typeof type === "string" ? type : "unknown";
}

/** What a client does that sends samples, by their track. */
const SOUNDS: Readonly<Record<string, string>> = { speaker: "plays samples", sound: "plays a sound" };

/** What a client does with a message of the audio socket; undefined for what makes or takes no sound. */
export const soundOf = (data: Buffer, binary: boolean): string | undefined =>
  binary ? SOUNDS[TRACKS[data[0] ?? -1] ?? ""] : soundOfText(String(data));

function soundOfText(text: string): string | undefined {
  const type = messageTypeOf(text);
  if (type === "play") return "plays a sound";
  return type === "listen" && /"on":\s*true/.test(text) ? "records the microphone" : undefined;
}
