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
      <button
        type="button"
        class="button"
        aria-label="Previous event"
        title="Previous event ( [ )"
        onClick={() => player.jumpToEvent(-1)}
      >
        ‹
      </button>
      <button
        type="button"
        class="button"
        aria-label="Next event"
        title="Next event ( ] )"
        onClick={() => player.jumpToEvent(1)}
      >
        ›
      </button>
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
        <button
          type="button"
          class="button"
          aria-label="Zoom out"
          title="Zoom out ( - )"
          disabled={player.zoom.value <= 1}
          onClick={() => player.zoomBy(0.5)}
        >
          −
        </button>
        <button
          type="button"
          class="button"
          aria-label="Zoom in"
          title="Zoom in ( + )"
          onClick={() => player.zoomBy(2)}
        >
          +
        </button>
      </span>
    </div>
  );
}
