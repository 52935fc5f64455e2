import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { Emitter, type Unsubscribe } from "../../common/emitter.ts";
import type { Clock } from "../../common/time/clock.ts";
import { SAMPLE_RATE } from "../../robot/wire/audio/audio-frames.ts";
import { type AudioStatus, BuiltInSound, Volume } from "../../robot/wire/audio/audio-messages.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { readJson, writeJson } from "../files/json-file.ts";
import { Microphone, type MicrophoneFeed, VirtualMicrophone } from "./capture/microphone.ts";
import { readWav } from "./capture/wav.ts";
import { AlsaMicrophone, AlsaSpeaker } from "./devices/alsa.ts";
import { soundSamples } from "./playback/sounds.ts";
import { Speaker } from "./playback/speaker.ts";

interface AudioOptions {
  /** Folder of the volume file. */
  dataDir: string;
  clock: Clock;
  /** ALSA name of the device for speaker and microphone; null where browsers replace it. */
  device: string | null;
  /** WAV file that the microphone plays in a loop, in place of a device or of silence. */
  recording: string | null;
  /** Environment of ALSA's programs. */
  env: Readonly<Record<string, string | undefined>>;
}

/** The robot's speaker and microphone. */
export interface Audio {
  readonly speaker: Speaker;
  readonly microphone: Microphone;
  status(): AudioStatus;
  /** Calls `listener` with each new status. */
  onChange(listener: (status: AudioStatus) => void): Unsubscribe;
  /** Calls `listener` with a sentence when the speaker or the microphone stops working. */
  onFault(listener: (fault: string) => void): Unsubscribe;
  /** @param volume 0 to 100 */
  setVolume(volume: number): Promise<void>;
  /** @param volume 0 to 100; 100 leaves the samples as they are */
  setMicrophoneVolume(volume: number): Promise<void>;
  /** Plays a built-in sound; a built-in sound that is playing ends. */
  play(sound: BuiltInSound): void;
  /**
   * Opens a client's feed of microphone samples.
   * @throws WorkbenchError `bad-request` when the robot has a microphone device
   */
  openMicrophoneFeed(): MicrophoneFeed;
  close(): void;
}

/** Five seconds, longer than any built-in sound. */
const SOUND_QUEUE_SAMPLES = 5 * SAMPLE_RATE;

/**
 * Creates the speaker and the microphone; a device is opened on first use.
 * @throws WorkbenchError `usage` when the recording is not a readable WAV file
 */
export async function createAudio({ dataDir, clock, device, recording, env }: AudioOptions): Promise<Audio> {
  const volumeFile = path.join(dataDir, "audio.json");
  const changes = new Emitter<AudioStatus>();
  const faults = new Emitter<string>();
  const fault: Record<"speaker" | "microphone", string | null> = { speaker: null, microphone: null };
  const emitChange = (): void => changes.emit(status());
  const onFault = (end: "speaker" | "microphone") => (reason: string | null) => {
    if (fault[end] === reason) return;
    fault[end] = reason;
    if (reason !== null) faults.emit(`The ${end} does not work: ${reason}`);
    emitChange();
  };

  const volumes = await loadVolumes(volumeFile);
  const speaker = new Speaker(clock, volumes.speaker);
  const alsa = (end: "speaker" | "microphone", name: string) => ({ device: name, env, clock, onFault: onFault(end) });
  const output = device === null ? null : new AlsaSpeaker(alsa("speaker", device));
  if (output !== null) speaker.listen((samples) => output.play(samples));

  const hasDevice = device !== null && recording === null;
  const virtual = new VirtualMicrophone(clock, recording === null ? new Int16Array(0) : await loadRecording(recording));
  const source = hasDevice ? new AlsaMicrophone(alsa("microphone", device)) : virtual;
  const microphone = new Microphone(source, emitChange, volumes.microphone);
  const soundQueue = speaker.openQueue(SOUND_QUEUE_SAMPLES);

  const status = (): AudioStatus => ({
    sample_rate: SAMPLE_RATE,
    channels: 1,
    volume: speaker.volume,
    speaker: { kind: device === null ? "browser" : "device", name: device, fault: fault.speaker },
    microphone: {
      kind: recording !== null ? "file" : hasDevice ? "device" : "browser",
      name: recording === null ? device : path.basename(recording),
      fault: fault.microphone,
      listeners: microphone.listeners,
    },
    sounds: BuiltInSound.options,
  });
  const save = () => saveVolumes(volumeFile, { speaker: speaker.volume, microphone: microphone.volume });
  return {
    speaker,
    microphone,
    status,
    onChange: (listener) => changes.on(listener),
    onFault: (listener) => faults.on(listener),
    async setVolume(volume) {
      speaker.volume = volume;
      emitChange();
      await save();
    },
    async setMicrophoneVolume(volume) {
      microphone.volume = volume;
      await save();
    },
    play(sound) {
      soundQueue.clear();
      soundQueue.push(soundSamples(sound));
    },
    openMicrophoneFeed() {
      if (!hasDevice) return virtual.openFeed();
      throw new WorkbenchError(
        "bad-request",
        `The robot has its own microphone (${device}); only a simulated robot uses a browser's microphone.`,
      );
    },
    close() {
      speaker.close();
      output?.close();
    },
  };
}

async function loadRecording(file: string): Promise<Int16Array> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new WorkbenchError("usage", `--microphone ${file} cannot be read (${cause.code}); name a WAV file.`, {
      cause,
    });
  });
  return readWav(bytes, file);
}

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
