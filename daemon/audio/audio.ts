import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { SAMPLE_RATE } from "../../robot/wire/audio-frames.ts";
import { type AudioStatus, SoundName } from "../../robot/wire/audio-messages.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Clock } from "../clock.ts";
import { Listeners } from "../control/listeners.ts";
import { AlsaMicrophone, AlsaSpeaker } from "./alsa.ts";
import { keepVolume, recallVolume } from "./kept-volume.ts";
import { type LentMicrophone, Microphone } from "./microphone.ts";
import { Room } from "./room.ts";
import { soundOf } from "./sounds.ts";
import { Speaker } from "./speaker.ts";
import { readWav } from "./wav.ts";

export interface AudioOptions {
  /** The volume is kept here. */
  dataDir: string;
  clock: Clock;
  /** ALSA's device of speaker and microphone; null where browsers stand in for them. */
  device: string | null;
  /** WAV file that the microphone hears again and again, in place of the device or of silence. */
  recording: string | null;
  /** Environment of ALSA's programs. */
  env: Readonly<Record<string, string | undefined>>;
}

/** The robot's ear and voice. */
export interface Audio {
  readonly speaker: Speaker;
  readonly microphone: Microphone;
  status(): AudioStatus;
  /** Told when the status has changed. */
  onChange(listener: (status: AudioStatus) => void): Unsubscribe;
  /** Told of each end that is not heard any more, in a sentence. */
  onFault(listener: (fault: string) => void): Unsubscribe;
  /** @param volume 0 to 100 */
  setVolume(volume: number): Promise<void>;
  /** Plays one of the robot's own sounds in place of the one before. */
  play(sound: SoundName): void;
  /** Throws `bad-request` where the robot has a microphone of its own. */
  lendMicrophone(): LentMicrophone;
  close(): void;
}

/** Five seconds, far longer than any of the robot's own sounds. */
const SOUND_ROOM = 5 * SAMPLE_RATE;

/** Opens the robot's ear and voice; no device is touched before it is used. Throws `usage` for a recording that is none. */
export async function createAudio({ dataDir, clock, device, recording, env }: AudioOptions): Promise<Audio> {
  const volumeFile = path.join(dataDir, "audio.json");
  const changes = new Listeners<AudioStatus>();
  const faults = new Listeners<string>();
  const fault: Record<"speaker" | "microphone", string | null> = { speaker: null, microphone: null };
  const change = (): void => changes.tell(status());
  const onFault = (end: "speaker" | "microphone") => (why: string | null) => {
    if (fault[end] === why) return;
    fault[end] = why;
    if (why !== null) faults.tell(`The ${end} does not work: ${why}`);
    change();
  };

  const speaker = new Speaker(clock, await recallVolume(volumeFile));
  const alsa = (end: "speaker" | "microphone", name: string) => ({ device: name, env, clock, onFault: onFault(end) });
  const output = device === null ? null : new AlsaSpeaker(alsa("speaker", device));
  if (output !== null) speaker.listen((samples) => output.play(samples));

  const hasOwnEar = device !== null && recording === null;
  const room = new Room(clock, recording === null ? new Int16Array(0) : await load(recording));
  const microphone = new Microphone(hasOwnEar ? new AlsaMicrophone(alsa("microphone", device)) : room, change);
  const own = speaker.voice(SOUND_ROOM);

  const status = (): AudioStatus => ({
    sample_rate: SAMPLE_RATE,
    channels: 1,
    volume: speaker.volume,
    speaker: { kind: device === null ? "browser" : "device", name: device, fault: fault.speaker },
    microphone: {
      kind: recording !== null ? "file" : hasOwnEar ? "device" : "browser",
      name: recording === null ? device : path.basename(recording),
      fault: fault.microphone,
      listeners: microphone.listeners,
    },
    sounds: SoundName.options,
  });
  return {
    speaker,
    microphone,
    status,
    onChange: (listener) => changes.add(listener),
    onFault: (listener) => faults.add(listener),
    async setVolume(volume) {
      speaker.volume = volume;
      change();
      await keepVolume(volumeFile, volume);
    },
    play(sound) {
      own.clear();
      own.push(soundOf(sound));
    },
    lendMicrophone() {
      if (!hasOwnEar) return room.lend();
      throw new WorkbenchError(
        "bad-request",
        `The robot hears with its own microphone (${device}); browsers lend theirs to a simulated robot only.`,
      );
    },
    close() {
      speaker.close();
      output?.close();
    },
  };
}

async function load(file: string): Promise<Int16Array> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new WorkbenchError("usage", `--microphone ${file} cannot be read (${cause.code}); name a WAV file.`, {
      cause,
    });
  });
  return readWav(bytes, file);
}
