import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Motion } from "../../../verdict/verdict.ts";
import type { Window } from "../model/player.ts";

export const DEGREES = 180 / Math.PI;

export interface JointChart {
  draw(motion: Motion): void;
  show(window: Window): void;
  /** After the page's colours changed. */
  repaint(): void;
  dispose(): void;
}

/** Degrees that the scale shows at least, so that noise does not look like motion. */
const LEAST = 10;

/** A chart that fills `box`; the n-th joint has the colour of the CSS variable `--joint-n`. */
export function createJointChart(box: HTMLElement, joints: readonly number[]): JointChart {
  const css = (name: string) => getComputedStyle(box).getPropertyValue(name).trim();
  // The cursor over all tracks needs them to begin and end at the same place.
  const [gutter, margin] = [Number.parseFloat(css("--gutter")), Number.parseFloat(css("--margin"))];
  let window: Window = { from: 0, to: 1 };
  const line = (i: number, dash: number[]) => ({
    stroke: () => css(`--joint-${i}`),
    width: dash.length > 0 ? 1 : 1.75,
    dash,
    points: { show: false },
  });
  const look = {
    stroke: () => css("--ink-soft"),
    grid: { stroke: () => css("--line"), width: 1 },
    ticks: { show: false },
  };
  const plot = new UPlot(
    {
      width: box.clientWidth,
      height: box.clientHeight,
      legend: { show: false },
      cursor: { show: false },
      padding: [4, margin, 4, 0],
      scales: {
        x: { time: false, range: () => [window.from, window.to] },
        y: { range: (_plot, low, high) => [Math.min(low ?? 0, -LEAST) - 2, Math.max(high ?? 0, LEAST) + 2] },
      },
      axes: [
        { ...look, size: 0, values: () => [] },
        {
          ...look,
          size: gutter,
          space: 24,
          font: "11px system-ui, sans-serif",
          values: (_plot, splits) => splits.map((at) => `${at}°`),
        },
      ],
      series: [{}, ...joints.map((_, i) => line(i, [])), ...joints.map((_, i) => line(i, [4, 4]))],
    },
    [[], ...joints.map(() => []), ...joints.map(() => [])],
    box,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: box.clientHeight }));
  sizes.observe(box);
  return {
    draw: (motion) => plot.setData(columns(motion, joints)),
    show: (next) => {
      window = next;
      plot.setScale("x", { min: next.from, max: next.to });
    },
    repaint: () => plot.redraw(false, true),
    dispose: () => {
      sizes.disconnect();
      plot.destroy();
    },
  };
}

/** Times, then what was measured, then what was sent, degrees. */
function columns({ t, measured, sent }: Motion, joints: readonly number[]): UPlot.AlignedData {
  const column = (rows: Motion["sent"], joint: number) =>
    rows.map((row) => (row === null ? null : (row[joint] ?? 0) * DEGREES));
  return [
    [...t],
    ...joints.map((joint) => column(measured, joint)),
    ...joints.map((joint) => column(sent, joint)),
  ] as UPlot.AlignedData;
}
