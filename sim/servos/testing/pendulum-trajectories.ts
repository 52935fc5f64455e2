/** Goals of the published recordings in radians by time, 6 s each; undefined while torque is off. */
type Trajectory = (seconds: number) => number | undefined;

/** From `from` to `to` radians in `duration` seconds from `begin` on, at rest at both ends. */
const smooth = (begin: number, duration: number, from: number, to: number) => (seconds: number) => {
  const share = Math.max(0, Math.min(1, (seconds - begin) / duration));
  return from + (to - from) * share * share * (3 - 2 * share);
};

const UP = Math.PI / 2;

export const TRAJECTORIES: Readonly<Record<string, Trajectory>> = {
  "sine of growing frequency": (t) => Math.sin(t * t),
  "two sines": (t) => UP * Math.sin(t) + 0.5 * Math.sin(5 * t) * Math.sin(2 * t),
  "lift, then torque off": (t) => (t < 2 ? smooth(0, 2, 0, -UP)(t) : undefined),
  "slowly up and down": (t) => (t < 3 ? smooth(0, 3, 0, UP)(t) : smooth(3, 3, UP, 0.8 * UP)(t)),
  "slow half of a sine": (t) => UP * Math.sin(t / 2),
  steps: (t) => [0, 0.75, 0.75, 1.55, 1.55, 0.75, 0][Math.floor(t < 2.5 ? t : t < 4 ? 3 : t < 5 ? 5 : 6)] ?? 0,
};
