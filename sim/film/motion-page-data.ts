/** The columns of a recorded motion after its time, in their order: by the names that a test has for them, with their units. */
export const COLUMNS = {
  "head.roll": "°",
  "head.pitch": "°",
  "head.yaw": "°",
  "head.x": "mm",
  "head.y": "mm",
  "head.z": "mm",
  body_yaw: "°",
  "antennas.right": "°",
  "antennas.left": "°",
} as const;
export type Column = keyof typeof COLUMNS;

interface RecordedMotion {
  /** Whose motion it is, for example "measured". */
  readonly label: string;
  /** Seconds, then the values of `COLUMNS`. */
  readonly rows: readonly (readonly number[])[];
}

/** What the page of a motion shows. */
export interface MotionPageData {
  readonly title: string;
  /** Sentences below the title. */
  readonly lines: readonly string[];
  /** The motion of the robot, and that of its ghost, if there is one. */
  readonly motions: readonly [RecordedMotion, ...RecordedMotion[]];
  /** Columns that differ, which are plotted first. */
  readonly differing: readonly string[];
}
