import { Icon } from "../../../../daemon/dashboard/view/icons.tsx";
import { moment } from "../model/figures.ts";
import { type Player, SPEEDS } from "../model/player.ts";

/** Play, pace and zoom. */
export function Transport({ player }: { player: Player }) {
  const playing = player.playing.value;
  return (
    <div class="transport">
      <button
        type="button"
        class="button button-primary transport-play"
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
        onClick={() => player.leap(-1)}
      >
        ‹
      </button>
      <button
        type="button"
        class="button"
        aria-label="Next event"
        title="Next event ( ] )"
        onClick={() => player.leap(1)}
      >
        ›
      </button>
      <output class="transport-time" aria-label="Time">
        <b>{moment(player.time.value)}</b> / {moment(player.duration)} s
      </output>
      <span class="spacer" />
      <label class="transport-speed">
        <span>Speed</span>
        <select
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
      <span class="transport-zoom">
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
