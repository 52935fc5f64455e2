import { DEGREE } from "../../../../common/degree.ts";
import { createLineChart, type LineChart } from "../../../../ui/chart/line-chart.ts";
import type { Motion } from "../../../verdict/verdict.ts";

/**
 * Joints over time, degrees: measured as lines, sent as dashed lines. The n-th joint has the colour of the CSS variable
 * `--joint-n`; `--gutter` and `--margin` of the box are its edges, so that one cursor fits all charts.
 */
export function createJointChart(box: HTMLElement, joints: readonly number[]): LineChart {
  const style = getComputedStyle(box);
  const pixels = (name: string) => Number.parseFloat(style.getPropertyValue(name));
  const colours = joints.map((_, i) => `--joint-${i}`);
  return createLineChart(box, {
    curves: [...colours.map((colour) => ({ colour })), ...colours.map((colour) => ({ colour, dashed: true }))],
    window: { from: 0, to: 1 },
    leastRange: 10,
    padding: [4, pixels("--margin"), 4, 0],
    xAxis: { size: 0, label: () => "" },
    yAxis: { size: pixels("--gutter"), label: (degrees) => `${degrees}°` },
  });
}

/** Times in seconds, then the measured and then the sent angles of these joints, degrees. */
export function columnsOf({ t, measured, sent }: Motion, joints: readonly number[]): (number | null)[][] {
  const column = (rows: Motion["sent"], joint: number) =>
    rows.map((row) => (row === null ? null : (row[joint] ?? 0) / DEGREE));
  return [[...t], ...joints.map((joint) => column(measured, joint)), ...joints.map((joint) => column(sent, joint))];
}
