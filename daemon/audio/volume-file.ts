import { z } from "zod";
import { Volume } from "../../robot/wire/audio/audio-messages.ts";
import { readJson, writeJson } from "../files/json-file.ts";

/** The content of `audio.json`. */
export const VolumeFile = z.object({ volume: Volume, microphone: Volume.optional() });

/** Volumes from 0 to 100. */
interface Volumes {
  speaker: number;
  /** 100 leaves the samples as they are. */
  microphone: number;
}

/** The volumes before they are set for the first time. */
const DEFAULT_VOLUME = 80;
const DEFAULT_MICROPHONE_VOLUME = 100;

/** Reads the volumes; the defaults when there is no readable file. */
export async function loadVolumes(file: string): Promise<Volumes> {
  const found = await readJson(file, VolumeFile);
  return { speaker: found?.volume ?? DEFAULT_VOLUME, microphone: found?.microphone ?? DEFAULT_MICROPHONE_VOLUME };
}

/** Writes the volumes. @throws WorkbenchError `disk-full`: they are set all the same */
export async function saveVolumes(file: string, { speaker, microphone }: Volumes): Promise<void> {
  const what = "The volume is set until the daemon ends, but";
  await writeJson(file, { volume: speaker, microphone }, { what, sync: false });
}
