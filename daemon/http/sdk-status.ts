import type { DaemonStatus } from "../../robot/wire/sdk-messages.ts";
import type { Robot } from "../control/robot.ts";

/** What does not change while the daemon runs. */
export interface DaemonFacts {
  robotName: string;
  version: string;
  wireless: boolean;
  simulated: boolean;
  /** The machine's operating system, as `os.type()`. */
  platform: string;
}

/**
 * The status that the SDK socket pushes and `GET /api/daemon/status` answers, in the peer's shape. `no_media` is true:
 * its SDK then makes no media calls on connecting.
 */
export function daemonStatus(robot: Robot, facts: DaemonFacts): DaemonStatus {
  const { phase, motorMode, error, loop, timestamp } = robot.state;
  return {
    type: "daemon_status",
    robot_name: facts.robotName,
    state: phase,
    wireless_version: facts.wireless,
    desktop_app_daemon: false,
    simulation_enabled: facts.simulated,
    mockup_sim_enabled: false,
    no_media: true,
    media_released: false,
    camera_specs_name: "",
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
    version: facts.version,
    hardware_id: null,
    face_target: { detected: false, x: null, y: null, roll: null, ts: null },
  };
}
