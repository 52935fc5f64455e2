import { formatFigure } from "../../../../ui/format/figures.ts";
import type { Measurement } from "../../../verdict/verdict.ts";

/** Where the limit is on the bar, so that values beyond it are visible. */
const LIMIT_POSITION = 0.75;

/** A measured value and the share of its limit that it takes. */
export function MeasurementBar({ measurement: { name, value, unit, limit } }: { measurement: Measurement }) {
  const isOver = limit !== null && value > limit;
  const share = limit === null || limit <= 0 ? 0 : Math.min(1, Math.max(0.01, (value / limit) * LIMIT_POSITION));
  return (
    <div class={isOver ? "measurement measurement-over" : "measurement"}>
      <span class="measurement-name">{name}</span>
      <span class="measurement-value">
        <b>{formatFigure(value)}</b> {unit}
        {limit !== null && (
          <span class="muted">
            {" "}
            of {formatFigure(limit)} {unit}
            {isOver && ", over the limit"}
          </span>
        )}
      </span>
      {limit !== null && limit > 0 && (
        <span class="measurement-bar" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
          <em style={{ left: `${LIMIT_POSITION * 100}%` }} />
        </span>
      )}
    </div>
  );
}
