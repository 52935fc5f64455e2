import type { AppStatus } from "../../robot/wire/apps.ts";
import type { Job } from "../../robot/wire/jobs.ts";

/** One line that an app printed, or that the daemon says about it. */
export interface LogLine {
  /** Milliseconds since the Unix epoch. */
  time: number;
  app: string;
  from: "stdout" | "stderr" | "daemon";
  text: string;
}

/** Everything that the app host tells, in the order in which it happened, and before what it causes. */
export type AppEvent =
  | { kind: "slot"; status: AppStatus }
  | { kind: "log"; line: LogLine }
  | { kind: "job"; job: Job }
  | { kind: "startup-app"; name: string | null }
  | { kind: "notice"; level: "info" | "warning" | "error"; message: string };

export type AppListener = (event: AppEvent) => void;
