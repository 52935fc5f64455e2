import { z } from "zod";
import { AppProcessEvent, LogLine } from "./apps/app-events.ts";
import { AppStatus } from "./apps/app-status.ts";
import { JobEvent } from "./apps/jobs.ts";
import { MessageLevel, RobotEvent } from "./robot/robot-event.ts";
import { SimulatedTime } from "./scene/simulated-time.ts";
import { CertificationState } from "./workshop/certification.ts";
import { WrittenFile } from "./workshop/workshop.ts";

/** The server-sent events of `GET /api/events`: name and data. */
export const DaemonEvents = z.object({
  slot: AppStatus,
  log: LogLine,
  process: AppProcessEvent,
  job: JobEvent,
  robot: RobotEvent,
  "startup-app": z.object({ startup_app: z.string().nullable() }),
  /** Files that the workshop is about to write: who watches the folder need not run the app again. */
  workshop: z.object({ files: z.array(WrittenFile) }),
  /** The certification of the workshop's app has changed. */
  certification: CertificationState,
  /** Somebody has changed how the time of the simulated robot passes. */
  "simulated-time": SimulatedTime,
  notice: z.object({ level: MessageLevel, message: z.string() }),
});
export type DaemonEvents = z.infer<typeof DaemonEvents>;
export type DaemonEventName = keyof DaemonEvents;
