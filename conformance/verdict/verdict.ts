import type { Report, Result } from "../../assistant/check/check-app.ts";

/**
 * What a certification found: the JSON that everything else (terminal, JUnit, annotations, badge, report page) is
 * derived from.
 */
export interface Verdict extends Omit<Report, "results"> {
  format: "robot-app-verdict";
  /** Of the workbench that judged. */
  version: string;
  /** Names the content of the app's folder that was judged: `sha256:` and hexadecimal digits. */
  digest: string;
  /** The requirements that were asked for; null when it was all of them. A part is no certification. */
  only: readonly string[] | null;
  /** All that was left to chance follows from it; 32 bits. */
  seed: number;
  /** ISO 8601. */
  startedAt: string;
  /** Seconds. */
  duration: number;
  results: readonly Judgement[];
  /** The runs that the judgements rest on. */
  scenes: readonly Scene[];
  /** Waivers that have expired, or that nothing needed; with any of them, the certification fails. */
  staleWaivers: readonly StaleWaiver[];
}

/** What came of one requirement. */
export interface Judgement extends Result {
  /** Ids of the scenes that show it; empty when it was read from the app's files. */
  scenes: readonly string[];
  /** Figures that were taken, for example `stop p50`: value, unit, and the limit when there is one. */
  measured: readonly Measurement[];
  /** Why a failure counts as a warning; null when it does not. */
  waiver: Waiver | null;
}

export interface Measurement {
  name: string;
  value: number;
  unit: string;
  limit: number | null;
}

/** A failure that somebody answers for, for a while. One that is used by nothing makes the certification fail. */
export interface Waiver {
  requirement: string;
  reason: string;
  owner: string;
  /** The last day it counts on, YYYY-MM-DD. */
  expires: string;
}

export interface StaleWaiver extends Waiver {
  why: "expired" | "unused";
}

/** One run of the app in a simulated robot of its own. Times are seconds from the scene's start, and never go back. */
export interface Scene {
  /** For example `stop-in-mid-goto`. */
  id: string;
  title: string;
  duration: number;
  events: readonly SceneEvent[];
  log: readonly LogLine[];
  motion: Motion;
}

/** Something that happened to the app, or that was done to it. */
export interface SceneEvent {
  t: number;
  /** `slot` is a state of the app, `action` what the harness did, `robot` what the robot said, `finding` a failure. */
  kind: "slot" | "action" | "robot" | "finding";
  /** The app's state (starting, running, stopping, done, error) when `kind` is slot. */
  state: "starting" | "running" | "stopping" | "done" | "error" | null;
  level: "info" | "warning" | "error";
  text: string;
}

export interface LogLine {
  t: number;
  stream: "stdout" | "stderr";
  text: string;
}

/**
 * Where the robot was, 25 times a second: columns of equal length. A joint's angles stand in the order of JOINT_NAMES
 * (body_yaw, stewart_1 to stewart_6, right_antenna, left_antenna); radians to four decimals.
 */
export interface Motion {
  t: readonly number[];
  /** Nine angles for each moment, as measured by the servos. */
  measured: readonly (readonly number[])[];
  /** Nine angles for each moment, as sent to the servos; null while the motors are off. */
  sent: readonly (readonly number[] | null)[];
}
