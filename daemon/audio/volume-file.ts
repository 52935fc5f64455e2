import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { Volume } from "../../robot/wire/audio/audio-messages.ts";
import { readJson } from "../files/json-file.ts";

const VolumeFile = z.object({ volume: Volume });

/** The volume before it is set for the first time. */
export const DEFAULT_VOLUME = 80;

/** Reads the volume, 0 to 100; the default when there is no readable file. */
export async function loadVolume(file: string): Promise<number> {
  return (await readJson(file, VolumeFile))?.volume ?? DEFAULT_VOLUME;
}

/** @param volume 0 to 100 */
export async function saveVolume(file: string, volume: number): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify({ volume })}\n`);
}
