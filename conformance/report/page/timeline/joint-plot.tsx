import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { DEGREE } from "../../../../common/degree.ts";
import { createLineChart, type LineChart } from "../../../../ui/chart/line-chart.ts";
import { formatDegrees } from "../../../../ui/format/format.ts";
import type { ThemeModel } from "../../../../ui/theme/theme-model.ts";
import type { Motion } from "../../../verdict/verdict.ts";
import type { Player } from "../player/player.ts";
import { sampleAt } from "../player/recording.ts";

interface Props {
  title: string;
  /** Labels of the joints; the keys are indices in JOINT_NAMES. */
  joints: Readonly<Record<number, string>>;
  player: Player;
  theme: ThemeModel;
}

/**
 * Joints over time in degrees: measured as lines, sent as dashed lines. The n-th joint has the colour of the CSS variable
 * `--joint-n`.
 */
export function JointPlot({ title, joints, player, theme }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<LineChart | null>(null);
  const indices = Object.keys(joints).map(Number);
  useEffect(() => {
    if (box.current === null) return;
    const created = createJointChart(box.current, indices);
    chart.current = created;
    return () => created.dispose();
  }, []);
  useSignalEffect(() => {
    const testRun = player.testRun.value;
    if (testRun) chart.current?.draw(columnsOf(testRun.motion, indices));
  });
  useSignalEffect(() => chart.current?.show(player.window.value));
  useSignalEffect(() => {
    theme.theme.value;
    chart.current?.repaint();
  });
  const motion = player.testRun.value?.motion;
  const sample = motion && sampleAt(motion, player.time.value);
  return (
    <figure class="lane lane-plot">
      <figcaption class="plot-caption">
        <span class="plot-title">{title}</span>
        {indices.map((joint, i) => (
          <span key={joint} class="legend" style={{ "--series": `var(--joint-${i})` }}>
            {joints[joint]} <b>{formatDegrees(toDegrees(sample?.measured[joint]))}</b>
            <span class="muted"> {formatDegrees(toDegrees(sample?.sent?.[joint]))}</span>
          </span>
        ))}
      </figcaption>
      <div ref={box} class="plot" />
    </figure>
  );
}

const toDegrees = (radians: number | undefined) => (radians === undefined ? undefined : radians / DEGREE);

/** `--gutter` and `--margin` of the box are the chart's edges, so that one cursor fits all charts. */
function createJointChart(box: HTMLElement, joints: readonly number[]): LineChart {
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
function columnsOf({ t, measured, sent }: Motion, joints: readonly number[]): (number | null)[][] {
  const column = (rows: Motion["sent"], joint: number) =>
    rows.map((row) => (row === null ? null : (row[joint] ?? 0) / DEGREE));
  return [[...t], ...joints.map((joint) => column(measured, joint)), ...joints.map((joint) => column(sent, joint))];
}
