/** The columns of a recorded motion after its time, in their order: by the names that a test has for them, with their units. */
export const MOTION_COLUMNS = {
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
export type MotionColumn = keyof typeof MOTION_COLUMNS;

interface RecordedMotion {
  /** Whose motion it is, for example "measured". */
  readonly label: string;
  /** Seconds, then the values of `MOTION_COLUMNS`. */
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

/** What a film shows, and where it is written. */
export interface FilmRequest {
  /** Ends in `.png`: pictures in rows; or `.apng`: an animation. */
  readonly file: string;
  /** Seconds since the robot stood ready. */
  readonly start: number;
  readonly end: number;
}
