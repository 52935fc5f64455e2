import { poseFromRpy } from "../../robot/kinematics/pose.ts";
import type { RecordedFrame } from "../../robot/wire/robot/recording.ts";

const HZ = 50;
const turn = (t: number, seconds: number) => Math.sin((2 * Math.PI * t) / seconds);

interface Posture {
  /** Radians. */
  roll?: number;
  pitch?: number;
  yaw?: number;
  /** Metres. */
  z?: number;
  antennas?: [number, number];
  bodyYaw?: number;
}

/** Frames of a posture that changes with time, faded in and out at both ends. */
function framesOf(seconds: number, postureAt: (t: number) => Posture): RecordedFrame[] {
  return Array.from({ length: Math.round(seconds * HZ) + 1 }, (_, index) => {
    const t = index / HZ;
    const fade = Math.min(1, t / 0.3, (seconds - t) / 0.3);
    const { roll = 0, pitch = 0, yaw = 0, z = 0, antennas = [0, 0], bodyYaw = 0 } = postureAt(t);
    return {
      t,
      head: [...poseFromRpy([0, 0, fade * z], { roll: fade * roll, pitch: fade * pitch, yaw: fade * yaw })],
      antennas: [fade * antennas[0], fade * antennas[1]],
      bodyYaw: fade * bodyYaw,
    };
  });
}

/** Moves of our own making, by name. */
export const BUILT_IN_MOVES: Readonly<Record<string, () => RecordedFrame[]>> = {
  nod: () => framesOf(1.6, (t) => ({ pitch: 0.2 * turn(t, 0.8), antennas: [0.2, -0.2] })),
  shake: () => framesOf(1.8, (t) => ({ yaw: 0.35 * turn(t, 0.9) })),
  look_around: () =>
    framesOf(4, (t) => ({ yaw: 0.6 * turn(t, 4), pitch: 0.1 * turn(t, 2), bodyYaw: 0.2 * turn(t, 4) })),
  sway: () =>
    framesOf(4, (t) => ({
      roll: 0.2 * turn(t, 2),
      bodyYaw: 0.3 * turn(t, 4),
      antennas: [0.4 * turn(t, 1), 0.4 * turn(t, 1)],
    })),
  cheer: () => framesOf(2, (t) => ({ z: 0.01 * turn(t, 0.5), antennas: [0.8 * turn(t, 0.5), -0.8 * turn(t, 0.5)] })),
};
