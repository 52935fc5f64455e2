import { legAngles } from "../../../robot/kinematics/inverse.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import type { Motion, MotionSample } from "../../../ui/motion/motion.ts";
import { COLUMNS, type Column } from "../motion-page-data.ts";

const RADIANS = Math.PI / 180;

/** A sample with the values that it was made from: degrees and millimetres, in the order of `COLUMNS`. */
interface RecordedSample extends MotionSample {
  values: readonly number[];
}

/** A motion from rows of seconds and the values of `COLUMNS`. Legs that would not reach the head stay as they are at rest. */
export function motionOfRows(rows: readonly (readonly number[])[]): Motion<RecordedSample> {
  return {
    samples: rows.map(([timestamp = 0, ...values]) => {
      const [roll, pitch, yaw, x, y, z, bodyYaw = 0, right = 0, left = 0] = values as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const head = poseFromRpy([x / 1000, y / 1000, z / 1000], {
        roll: RADIANS * roll,
        pitch: RADIANS * pitch,
        yaw: RADIANS * yaw,
      });
      const legs = legAngles(head, RADIANS * bodyYaw).map((angle) => (Number.isNaN(angle) ? 0 : angle));
      return {
        timestamp,
        values,
        headPose: head,
        headJoints: [RADIANS * bodyYaw, ...legs],
        antennas: [RADIANS * right, RADIANS * left],
      };
    }),
  };
}

/** The value of a column, as it is plotted. */
export function plottedColumn(name: Column) {
  const at = Object.keys(COLUMNS).indexOf(name);
  return { label: `${name} (${COLUMNS[name]})`, value: ({ values }: RecordedSample) => values[at] ?? 0 };
}
