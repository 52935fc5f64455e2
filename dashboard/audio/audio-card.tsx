import { useEffect, useRef } from "preact/hooks";
import type { AudioStatus } from "../../robot/wire/audio/audio-messages.ts";
import { IconButton } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { usePage } from "../shell/context.ts";
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

/** How much of its length the bar loses in a second. */
const DECAY = 1.8;

/** A bar as long as the speaker is loud. Drawn without Preact, once a screen refresh while it moves. */
function LoudnessMeter() {
  const { audio } = usePage();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    let [level, drawnAt, frame] = [0, 0, 0];
    const draw = (now: number): void => {
      level = Math.max(0, level - (DECAY * Math.min(100, now - drawnAt)) / 1000);
      drawnAt = now;
      if (bar.current) bar.current.style.scale = `${level} 1`;
      frame = level > 0 ? requestAnimationFrame(draw) : 0;
    };
    const stop = audio.loudness.on((loudness) => {
      level = Math.max(level, loudness);
      if (frame !== 0 || level === 0) return;
      drawnAt = performance.now();
      frame = requestAnimationFrame(draw);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, []);
  return (
    <span class="meter" aria-hidden="true">
      <i ref={bar} />
    </span>
  );
}
