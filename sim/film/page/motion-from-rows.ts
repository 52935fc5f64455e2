import { DEGREE } from "../../../common/degree.ts";
import { legAngles } from "../../../robot/kinematics/inverse.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { MOTION_COLUMNS, type MotionColumn } from "../../../robot/wire/film.ts";
import type { Motion, MotionSample } from "../../../ui/motion/motion.ts";

/** A sample with the values that it was made from: degrees and millimetres, in the order of `MOTION_COLUMNS`. */
interface RecordedSample extends MotionSample {
  values: readonly number[];
}

/**
 * A motion in radians and metres from rows of seconds and the values of `MOTION_COLUMNS`. Legs that do not reach the head stay at 0
 * radians.
 */
export function motionFromRows(rows: readonly (readonly number[])[]): Motion<RecordedSample> {
  return {
    samples: rows.map(([timestamp = 0, ...values]) => {
      const [roll = 0, pitch = 0, yaw = 0, x = 0, y = 0, z = 0, bodyYaw = 0, right = 0, left = 0] = values;
      const head = poseFromRpy([x / 1000, y / 1000, z / 1000], {
        roll: DEGREE * roll,
        pitch: DEGREE * pitch,
        yaw: DEGREE * yaw,
      });
      const legs = legAngles(head, DEGREE * bodyYaw).map((angle) => (Number.isNaN(angle) ? 0 : angle));
      return {
        timestamp,
        values,
        headPose: head,
        headJoints: [DEGREE * bodyYaw, ...legs],
        antennas: [DEGREE * right, DEGREE * left],
      };
    }),
  };
}

/** How a column is plotted: its label with the unit, and its value in a sample. */
export function plottedColumn(name: MotionColumn) {
  const at = Object.keys(MOTION_COLUMNS).indexOf(name);
  return { label: `${name} (${MOTION_COLUMNS[name]})`, value: ({ values }: RecordedSample) => values[at] ?? 0 };
}
