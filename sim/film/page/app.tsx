import { MOTION_COLUMNS, type MotionColumn, type MotionPageData } from "../../../robot/wire/film.ts";
import { ThemeButton } from "../../../ui/components/theme-button.tsx";
import { MotionComparison } from "../../../ui/motion/motion-comparison.tsx";
import icon from "../../../ui/theme/icon.svg?inline";
import type { ThemeModel } from "../../../ui/theme/theme-model.ts";
import { createRobotView } from "../../../ui/viewer/index.ts";
import { motionFromRows, plottedColumn } from "./motion-from-rows.ts";

const NAMES = Object.keys(MOTION_COLUMNS) as MotionColumn[];

/** The motion of a test, or a measured motion over a recorded one. */
export function App({
  data: { title, lines, motions, differing },
  theme,
}: {
  data: MotionPageData;
  theme: ThemeModel;
}) {
  const [robot, ghost] = motions;
  const first = NAMES.filter((name) => differing.includes(name));
  const others = NAMES.filter((name) => !differing.includes(name));
  return (
    <>
      <header class="header">
        <span class="brand">
          <img src={icon} alt="" width="28" height="28" />
          Motion of a test
        </span>
        <span class="spacer" />
        <ThemeButton theme={theme} />
      </header>
      <main class="page motion">
        <section class="card" aria-label={title}>
          <h1>{title}</h1>
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {ghost !== undefined && (
            <p class="muted">
              The robot and the solid lines: {robot.label}. The ghost and the dashed lines: {ghost.label}.
            </p>
          )}
        </section>
        <section class="card" aria-label="The robot and its plots">
          <Motions robot={robot} ghost={ghost} plots={[...first, ...others]} theme={theme} />
        </section>
      </main>
    </>
  );
}

interface MotionsProps {
  robot: MotionPageData["motions"][0];
  ghost: MotionPageData["motions"][0] | undefined;
  plots: readonly MotionColumn[];
  theme: ThemeModel;
}

function Motions({ robot, ghost, plots, theme }: MotionsProps) {
  return (
    <MotionComparison
      robot={motionFromRows(robot.rows)}
      ghost={ghost === undefined ? null : motionFromRows(ghost.rows)}
      theme={theme}
      createView={createRobotView}
      pictureLabel={
        ghost === undefined ? `The robot: ${robot.label}` : `The robot: ${robot.label}; its ghost: ${ghost.label}`
      }
      ghostLabel="Show the ghost"
      plots={plots.map((name) => [plottedColumn(name)])}
    />
  );
}
