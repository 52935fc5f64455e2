import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { Volume } from "../../robot/wire/audio-messages.ts";
import { readJson } from "../apps/json-file.ts";

const Kept = z.object({ volume: Volume });

/** The volume of a speaker that nobody has turned yet. */
export const USUAL_VOLUME = 80;

/** The volume as the data folder keeps it. */
export async function recallVolume(file: string): Promise<number> {
  return (await readJson(file, Kept))?.volume ?? USUAL_VOLUME;
}

export async function keepVolume(file: string, volume: number): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify({ volume })}\n`);
}
