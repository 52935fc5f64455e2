import type { AppEvent } from "../../../robot/wire/apps/app-events.ts";
import { AppState } from "../../../robot/wire/apps/app-status.ts";
import { RobotPhase } from "../../../robot/wire/robot/robot-fields.ts";
import type { AppHost } from "../../apps/app-host.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { Counters, formatMetrics, type Labels } from "./prometheus.ts";

interface MetricsParts {
  robot: Robot;
  apps: AppHost;
  version: string;
  /** Resident set size of the daemon's main process, bytes. */
  residentBytes: () => number;
}

/** Collects what `GET /metrics` reports: slot, control loop, servo bus, requests, memory. */
export class Metrics {
  readonly #parts: MetricsParts;
  readonly #starts = new Counters();
  readonly #ends = new Counters();
  readonly #requests = new Counters();
  #slotState: AppState | null = null;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    parts.apps.events.on((event) => this.#countStartOrEnd(event));
  }

  /** Counts a request. @param route its declared path, with parameter names, so that the number of samples stays small */
  countRequest(method: string, route: string, status: number): void {
    this.#requests.add({ method, route, status: String(status) });
  }

  /** Returns all metrics in Prometheus' text format. */
  text(): string {
    const { robot, apps, version, residentBytes } = this.#parts;
    const { phase, loop } = robot.state;
    const state = apps.slot.status()?.state;
    const unlabelled = (value: number): [Labels, number][] => [[{}, value]];
    const oneOf = (label: string, all: readonly string[], current: string | undefined): [Labels, number][] =>
      all.map((value) => [{ [label]: value }, value === current ? 1 : 0]);
    return formatMetrics([
      { name: "robot_daemon_info", kind: "gauge", help: "Always 1.", samples: [[{ version }, 1]] },
      {
        name: "robot_slot_state",
        kind: "gauge",
        help: "1 for the current state of the app slot, 0 for the others; all 0 before the first app.",
        samples: oneOf("state", AppState.options, state),
      },
      { name: "robot_app_starts_total", kind: "counter", help: "Apps started.", samples: this.#starts.samples() },
      { name: "robot_app_ends_total", kind: "counter", help: "Apps ended.", samples: this.#ends.samples() },
      {
        name: "robot_phase",
        kind: "gauge",
        help: "1 for the robot's current phase, 0 for the others.",
        samples: oneOf("phase", RobotPhase.options, phase),
      },
      {
        name: "robot_loop_period_seconds",
        kind: "gauge",
        help: "Quantiles of the control loop's period.",
        samples: [
          [{ quantile: "0.5" }, loop.periodP50Ms / 1000],
          [{ quantile: "0.99" }, loop.periodP99Ms / 1000],
        ],
      },
      {
        name: "robot_loop_hertz",
        kind: "gauge",
        help: "Rate of the control loop.",
        samples: unlabelled(loop.frequencyHz),
      },
      { name: "robot_loop_missed_total", kind: "counter", help: "Skipped periods.", samples: unlabelled(loop.missed) },
      {
        name: "robot_bus_errors_total",
        kind: "counter",
        help: "Servo replies that were lost.",
        samples: unlabelled(loop.busErrors),
      },
      { name: "http_requests_total", kind: "counter", help: "Answered requests.", samples: this.#requests.samples() },
      {
        name: "process_resident_memory_bytes",
        kind: "gauge",
        help: "Resident memory of the daemon's main process.",
        samples: unlabelled(residentBytes()),
      },
    ]);
  }

  #countStartOrEnd(event: AppEvent): void {
    if (event.kind !== "slot") return;
    const { state, info } = event.status;
    if (state === this.#slotState) return;
    this.#slotState = state;
    if (state === "starting") this.#starts.add({ app: info.name });
    if (state === "done" || state === "error") this.#ends.add({ app: info.name, outcome: state });
  }
}
