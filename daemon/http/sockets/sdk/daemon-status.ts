import type { DaemonStatusMessage } from "../../../../robot/wire/robot/sdk-messages.ts";
import type { Robot } from "../../../robot-client/robot.ts";

/** Facts about the daemon that do not change while it runs. */
export interface DaemonInfo {
  robotName: string;
  version: string;
  wireless: boolean;
  simulated: boolean;
  hasCamera: boolean;
  /** What clients are told instead of `simulated`; apps of other authors behave otherwise in a simulation. */
  reportSimulation?: boolean;
  /** The machine's operating system, as `os.type()`. */
  platform: string;
}

/** Whether a program has said that it uses camera and sound directly; shown in the status. */
export interface MediaLease {
  isReleased: boolean;
}

/** Milliseconds between two status messages to a client of the SDK socket. */
export const STATUS_PERIOD_MS = 1000;

/** The public SDK's name for the camera that is simulated. */
export const CAMERA_NAME = "wireless";

/**
 * Returns the status for the SDK socket and `GET /api/daemon/status`, with the public daemon's fields. `no_media` is
 * true, so that the public SDK does not look for a media server on connect.
 */
export function daemonStatus(robot: Robot, info: DaemonInfo, mediaReleased = false): DaemonStatusMessage {
  const { phase, motorMode, error, loop, timestamp } = robot.state;
  return {
    type: "daemon_status",
    robot_name: info.robotName,
    state: phase,
    wireless_version: info.wireless,
    desktop_app_daemon: false,
    simulation_enabled: info.reportSimulation ?? info.simulated,
    mockup_sim_enabled: false,
    no_media: true,
    media_released: mediaReleased,
    camera_specs_name: info.hasCamera ? CAMERA_NAME : "",
    backend_status: {
      ready: phase === "running",
      motor_control_mode: motorMode,
      last_alive: timestamp,
      control_loop_stats: {
        mean_control_loop_frequency: loop.frequencyHz,
        period_p50_ms: loop.periodP50Ms,
        period_p99_ms: loop.periodP99Ms,
        missed: loop.missed,
        nb_error: loop.busErrors,
      },
      error,
    },
    error,
    wlan_ip: null,
    version: info.version,
    hardware_id: null,
    face_target: { detected: false, x: null, y: null, roll: null, ts: null },
  };
}
