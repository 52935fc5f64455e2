import { createLineChart, type LineChart } from "../../ui/chart/line-chart.ts";
import { WINDOW } from "./motion-history.ts";

/** The last seconds of motion in degrees. @param colours names of CSS variables, one for each curve */
export function createMotionChart(box: HTMLElement, colours: readonly string[]): LineChart {
  return createLineChart(box, {
    curves: colours.map((colour) => ({ colour })),
    window: { from: -WINDOW, to: 0 },
    leastRange: 15,
    padding: [6, 16, 0, 0],
    xAxis: { size: 22, label: (seconds) => (seconds === 0 ? "now" : `${seconds} s`) },
    yAxis: { size: 38, label: String },
  });
}
