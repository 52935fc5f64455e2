import { Icon } from "../../../../ui/components/icons.tsx";
import { formatMoment } from "../../../../ui/format/figures.ts";
import { type Player, SPEEDS } from "./player.ts";

/** Play, step, speed and zoom. */
export function PlaybackControls({ player }: { player: Player }) {
  const playing = player.playing.value;
  return (
    <div class="playback">
      <button
        type="button"
        class="button button-primary playback-play"
        aria-label={playing ? "Pause" : "Play"}
        title={`${playing ? "Pause" : "Play"} (space)`}
        onClick={() => player.toggle()}
      >
        <Icon name={playing ? "pause" : "play"} />
      </button>
      <KeyButton name="Previous event" shortcut="[" onClick={() => player.jumpToEvent(-1)}>
        ‹
      </KeyButton>
      <KeyButton name="Next event" shortcut="]" onClick={() => player.jumpToEvent(1)}>
        ›
      </KeyButton>
      <output class="playback-time" aria-label="Time">
        <b>{formatMoment(player.time.value)}</b> / {formatMoment(player.duration)} s
      </output>
      <span class="spacer" />
      <label class="playback-speed">
        <span>Speed</span>
        <select
          class="field"
          aria-label="Speed"
          value={player.speed.value}
          onChange={({ currentTarget }) => {
            player.speed.value = Number(currentTarget.value);
          }}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
      <span class="playback-zoom">
        <KeyButton name="Zoom out" shortcut="-" disabled={player.zoom.value <= 1} onClick={() => player.zoomBy(0.5)}>
          −
        </KeyButton>
        <KeyButton name="Zoom in" shortcut="+" onClick={() => player.zoomBy(2)}>
          +
        </KeyButton>
      </span>
    </div>
  );
}

interface KeyButtonProps {
  name: string;
  /** The key that does the same. */
  shortcut: string;
  disabled?: boolean;
  onClick: () => void;
  children: string;
}

function KeyButton({ name, shortcut, disabled = false, onClick, children }: KeyButtonProps) {
  const title = `${name} ( ${shortcut} )`;
  return (
    <button type="button" class="button" aria-label={name} title={title} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}
