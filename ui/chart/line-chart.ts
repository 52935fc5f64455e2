import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

interface Curve {
  /** Name of a CSS variable, for example `--series-1`. */
  colour: string;
  dashed?: boolean;
}

/** A stretch of time, seconds. */
export interface TimeWindow {
  from: number;
  to: number;
}

interface LineChartOptions {
  curves: readonly Curve[];
  /** The stretch of time that is shown at first. */
  window: TimeWindow;
  /** The vertical scale shows at least from minus to plus this value, so that noise does not look like motion. */
  leastRange: number;
  /** Pixels around the curves: top, right, bottom, left. */
  padding: [number, number, number, number];
  xAxis: { size: number; label(seconds: number): string };
  yAxis: { size: number; label(value: number): string };
}

export type LineChart = ReturnType<typeof createLineChart>;

/** A line chart that fills `box` and follows its size. */
export function createLineChart(box: HTMLElement, options: LineChartOptions) {
  const { curves, leastRange, padding, xAxis, yAxis } = options;
  let { window } = options;
  const css = (name: string) => getComputedStyle(box).getPropertyValue(name).trim();
  const axis = {
    stroke: () => css("--ink-soft"),
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
      padding,
      scales: {
        x: { time: false, range: () => [window.from, window.to] },
        y: { range: (_plot, low, high) => [Math.min(low ?? 0, -leastRange) - 2, Math.max(high ?? 0, leastRange) + 2] },
      },
      axes: [
        { ...axis, size: xAxis.size, values: (_plot, splits) => splits.map(xAxis.label) },
        { ...axis, size: yAxis.size, space: 24, values: (_plot, splits) => splits.map(yAxis.label) },
      ],
      series: [
        {},
        ...curves.map(({ colour, dashed = false }) => ({
          stroke: () => css(colour),
          width: dashed ? 1 : 1.75,
          dash: dashed ? [4, 4] : [],
          points: { show: false },
        })),
      ],
    },
    [[], ...curves.map(() => [])],
    box,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: box.clientHeight }));
  sizes.observe(box);
  return {
    /** Times in seconds, then one column for each curve; null leaves a gap. */
    draw: (columns: (number | null)[][]) => plot.setData(columns as UPlot.AlignedData),
    /** Shows another stretch of time. */
    show: (next: TimeWindow) => {
      window = next;
      plot.setScale("x", { min: next.from, max: next.to });
    },
    /** Draws again with the colours of the page's present theme. */
    repaint: () => plot.redraw(false, true),
    dispose: () => {
      sizes.disconnect();
      plot.destroy();
    },
  };
}
