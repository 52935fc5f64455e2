import type { Measurement } from "../../../verdict/verdict.ts";
import { figure } from "../model/figures.ts";

/** Share of the bar that the limit stands at, so that a figure beyond it is seen to be. */
const LIMIT_AT = 0.75;

/** A figure, and how much of its limit it takes. */
export function FigureBar({ measurement: { name, value, unit, limit } }: { measurement: Measurement }) {
  const over = limit !== null && value > limit;
  const share = limit === null || limit <= 0 ? 0 : Math.min(1, Math.max(0.01, (value / limit) * LIMIT_AT));
  return (
    <div class={over ? "figure figure-over" : "figure"}>
      <span class="figure-name">{name}</span>
      <span class="figure-value">
        <b>{figure(value)}</b> {unit}
        {limit !== null && (
          <span class="muted">
            {" "}
            of {figure(limit)} {unit}
            {over && ", too much"}
          </span>
        )}
      </span>
      {limit !== null && limit > 0 && (
        <span class="figure-bar" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
          <em style={{ left: `${LIMIT_AT * 100}%` }} />
        </span>
      )}
    </div>
  );
}
