import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import type { EventStreamListener } from "./event-stream.ts";
import type { ObservationLog } from "./observation-log.ts";
import type { TapListener } from "./sdk-tap.ts";
import type { SentCommand } from "./tap-reports.ts";

/** Passes what a rig observes to the log of the test run that it serves. */
export class ObservationRelay implements EventStreamListener, TapListener {
  /** Null between test runs: what is observed then is dropped. */
  log: ObservationLog | null = null;
  /** The latest state of the robot. */
  state: RobotState | null = null;

  /** Passes everything that is observed from now on to this log. */
  attach(log: ObservationLog): void {
    this.log = log;
    log.state = this.state;
  }

  onEvent(name: string, data: unknown): void {
    this.log?.onEvent(name, data);
  }

  onState(state: RobotState): void {
    this.state = state;
    this.log?.onState(state);
  }

  onConnectAttempt(pid: number | null): void {
    this.log?.onConnectAttempt(pid);
  }

  onConnect(pid: number | null, connection: number): void {
    this.log?.onConnect(pid, connection);
  }

  onDisconnect(pid: number | null, connection: number, byTap: boolean): void {
    this.log?.onDisconnect(pid, connection, byTap);
  }

  onCommand(command: SentCommand): void {
    this.log?.onCommand(command);
  }

  onRequest(method: string, route: string): void {
    this.log?.onRequest(method, route);
  }

  onSound(pid: number | null, what: string): void {
    this.log?.onSound(pid, what);
  }
}
