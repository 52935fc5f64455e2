import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { WINDOW } from "../model/history.ts";

export interface MotionChart {
  /** Times in seconds before now, then one column for each curve, degrees. */
  draw(columns: number[][]): void;
  /** After the page's colours changed. */
  repaint(): void;
  dispose(): void;
}

/** Degrees that the scale shows at least, so that noise does not look like motion. */
const LEAST = 15;

/** A line chart that fills `box`; colours are names of CSS variables. */
export function createMotionChart(box: HTMLElement, colours: readonly string[]): MotionChart {
  const css = (name: string) => getComputedStyle(box).getPropertyValue(name).trim();
  const axis = {
    stroke: () => css("--ink-faint"),
    grid: { stroke: () => css("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  const plot = new UPlot(
    {
      width: box.clientWidth,
      height: box.clientHeight,
      legend: { show: false },
      cursor: { show: false },
      padding: [6, 16, 0, 0],
      scales: {
        x: { time: false, range: () => [-WINDOW, 0] },
        y: {
          range: (_plot, low, high) => [Math.min(low ?? 0, -LEAST) - 2, Math.max(high ?? 0, LEAST) + 2],
        },
      },
      axes: [
        { ...axis, size: 22, values: (_plot, splits) => splits.map((at) => (at === 0 ? "now" : `${at} s`)) },
        { ...axis, size: 38, space: 24 },
      ],
      series: [{}, ...colours.map((colour) => ({ stroke: () => css(colour), width: 1.75, points: { show: false } }))],
    },
    [[], ...colours.map(() => [])],
    box,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: box.clientHeight }));
  sizes.observe(box);
  return {
    draw: (columns) => plot.setData(columns as UPlot.AlignedData),
    repaint: () => plot.redraw(false, true),
    dispose: () => {
      sizes.disconnect();
      plot.destroy();
    },
  };
}
