import type { AudioStatus } from "../../../robot/wire/audio/audio-messages.ts";
import { IconButton } from "../../../ui/components/buttons.tsx";
import { Icon } from "../../../ui/components/icons.tsx";
import { usePage } from "../shell/context.ts";
import { LoudnessMeter } from "./loudness-meter.tsx";
import "./audio.css";

/** The robot's speaker and microphone: listen to it here, lend it this machine's microphone, set its volume. */
export function AudioCard() {
  const { dashboard, audio } = usePage();
  const status = audio.status.value;
  if (status === null) return null;
  const connected = dashboard.connected.value;
  const microphone = audio.microphone.value;
  return (
    <section class="card media" aria-label="Audio">
      <div class="media-row">
        <button
          type="button"
          class="toggle media-toggle"
          aria-pressed={audio.speakerOn.value}
          title="Play the robot's speaker in this browser"
          onClick={() => audio.toggleSpeaker()}
        >
          <Icon name={audio.speakerOn.value ? "speaker" : "muted"} /> {audio.speakerOn.value ? "Listening" : "Listen"}
        </button>
        <LoudnessMeter />
        <input
          class="audio-volume"
          type="range"
          min="0"
          max="100"
          aria-label="Volume of the robot's speaker"
          title={`Volume ${audio.volume.value}`}
          disabled={!connected}
          value={audio.volume.value}
          onInput={({ currentTarget }) => void audio.setVolume(Number(currentTarget.value))}
        />
        <IconButton icon="bell" label="Play a test sound" disabled={!connected} onClick={() => audio.playTestSound()} />
      </div>
      <div class="media-row">
        {status.microphone.kind !== "device" && (
          <button
            type="button"
            class="toggle media-toggle"
            aria-pressed={microphone === "on"}
            title="Use this machine's microphone as the robot's microphone"
            disabled={microphone === "opening" || (!connected && microphone === "off")}
            onClick={() => void audio.toggleMicrophone()}
          >
            <Icon name="microphone" /> {microphone === "on" ? "Speaking" : "Speak"}
          </button>
        )}
        <span class="muted media-status" role="status">
          {recordingStatus(status, microphone === "on")}
        </span>
      </div>
      {status.speaker.fault && <p class="audio-fault">{status.speaker.fault}</p>}
      {status.microphone.fault && <p class="audio-fault">{status.microphone.fault}</p>}
    </section>
  );
}

/** What the robot's microphone is, and whether an app records it. */
function recordingStatus({ microphone: { kind, name, listeners } }: AudioStatus, lent: boolean): string {
  if (listeners === 0) return "No app records";
  if (lent) return "An app records your microphone";
  if (kind === "device") return "An app records the robot's microphone";
  return kind === "file" ? `An app records ${name}` : "An app records silence";
}
