import { useEffect, useRef } from "preact/hooks";
import type { AudioStatus } from "../../../robot/wire/audio-messages.ts";
import { usePage } from "./context.ts";
import { Icon } from "./icons.tsx";

/** The robot's voice and ear: hear it here, lend it a microphone, turn its volume. */
export function SoundCard() {
  const { dashboard, sound } = usePage();
  const status = sound.status.value;
  if (status === null) return null;
  const connected = dashboard.connected.value;
  const microphone = sound.microphone.value;
  return (
    <section class="card sound" aria-label="Sound">
      <div class="sound-row">
        <button
          type="button"
          class="toggle sound-toggle"
          aria-pressed={sound.speakerOn.value}
          title="Hear the robot's speaker in this browser"
          onClick={() => sound.toggleSpeaker()}
        >
          <Icon name={sound.speakerOn.value ? "speaker" : "muted"} /> {sound.speakerOn.value ? "Heard here" : "Listen"}
        </button>
        <Meter />
        <input
          class="sound-volume"
          type="range"
          min="0"
          max="100"
          aria-label="Volume of the robot's speaker"
          title={`Volume ${sound.volume.value}`}
          disabled={!connected}
          value={sound.volume.value}
          onInput={({ currentTarget }) => void sound.setVolume(Number(currentTarget.value))}
        />
        <button
          type="button"
          class="icon-button"
          aria-label="Play a test sound"
          title="Play a test sound"
          disabled={!connected}
          onClick={() => sound.testSound()}
        >
          <Icon name="bell" />
        </button>
      </div>
      <div class="sound-row">
        {status.microphone.kind !== "device" && (
          <button
            type="button"
            class="toggle sound-toggle"
            aria-pressed={microphone === "on"}
            title="Lend the robot the microphone of this machine"
            disabled={microphone === "opening" || (!connected && microphone === "off")}
            onClick={() => void sound.toggleMicrophone()}
          >
            <Icon name="microphone" /> {microphone === "on" ? "Lent" : "Speak"}
          </button>
        )}
        <span class="muted sound-ear" role="status">
          {earOf(status, microphone === "on")}
        </span>
      </div>
      {status.speaker.fault && <p class="sound-fault">{status.speaker.fault}</p>}
      {status.microphone.fault && <p class="sound-fault">{status.microphone.fault}</p>}
    </section>
  );
}

/** What the robot hears, and whether anybody listens to it. */
function earOf({ microphone: { kind, name, listeners } }: AudioStatus, lent: boolean): string {
  const source = lent
    ? "your microphone"
    : kind === "file"
      ? name
      : kind === "device"
        ? "its own microphone"
        : "silence";
  return listeners > 0 ? `An app hears ${source}` : "No app listens";
}

/** How much of its height the meter loses a second. */
const FALL = 1.8;

/** A bar as long as the speaker is loud; it falls by itself. Drawn past Preact, 60 times a second while it moves. */
function Meter() {
  const { sound } = usePage();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    let [level, drawn, frame] = [0, 0, 0];
    const draw = (now: number): void => {
      level = Math.max(0, level - (FALL * Math.min(100, now - drawn)) / 1000);
      drawn = now;
      if (bar.current) bar.current.style.scale = `${level} 1`;
      frame = level > 0 ? requestAnimationFrame(draw) : 0;
    };
    const stop = sound.onLoudness((loudness) => {
      level = Math.max(level, loudness);
      if (frame !== 0) return;
      drawn = performance.now();
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
