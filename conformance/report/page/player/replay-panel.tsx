import { useSignalEffect } from "@preact/signals";
import { IDENTITY } from "../../../../robot/kinematics/pose.ts";
import { RobotPanel, useRobotDisplay } from "../../../../ui/components/robot-panel.tsx";
import type { ThemeModel } from "../../../../ui/theme/theme-model.ts";
import { createRobotView, type Frame, frameOfJoints } from "../../../../ui/viewer/index.ts";
import type { Player } from "./player.ts";
import { type Angles, sampleAt } from "./recording.ts";

const STATES = {
  starting: "Starting",
  running: "Running",
  stopping: "Stopping",
  done: "Done",
  error: "Error",
} as const;

/** The robot at the player's time, with the commanded pose as a ghost. */
export function ReplayPanel({ player, theme }: { player: Player; theme: ThemeModel }) {
  const display = useRobotDisplay(true);
  useSignalEffect(() => {
    const view = display.view.value;
    const motion = player.testRun.value?.motion;
    const sample = motion && sampleAt(motion, player.time.value);
    if (!sample || view === null) return;
    const frame = frameOfAngles(sample.measured);
    if (frame) view.show(frame);
    view.setGhost((display.ghost.value && sample.sent && frameOfAngles(sample.sent)) || null);
    const motorsOff = sample.sent === null;
    const glow = player.state.value === "error" ? "fault" : motorsOff ? "off" : "on";
    view.setEyes({ awake: !motorsOff, glow });
  });

  const state = player.state.value;
  const isRecorded = (player.testRun.value?.motion.t.length ?? 0) > 0;
  return (
    <RobotPanel
      class={`replay${isRecorded ? "" : " replay-empty"}`}
      label="The robot"
      pictureLabel="The robot at this time, in three dimensions"
      display={display}
      theme={theme}
      createView={createRobotView}
      note={isRecorded ? null : "This test run recorded no motion."}
    >
      <p class="replay-state">
        <i class={`dot state-${state ?? "none"}`} aria-hidden="true" />
        {state === null ? "Not started" : STATES[state]}
      </p>
    </RobotPanel>
  );
}

/**
 * A frame from nine joint angles. The search for the head always starts at its neutral pose, so that a time looks the same from
 * whichever side it is reached. Undefined when no head pose fits the joints.
 */
const frameOfAngles = (angles: Angles): Frame | undefined =>
  frameOfJoints({ headJoints: angles.slice(0, 7), antennas: angles.slice(7) }, IDENTITY);
