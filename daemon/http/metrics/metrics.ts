import { AppState } from "../../../robot/wire/apps.ts";
import { RobotPhase } from "../../../robot/wire/robot.ts";
import type { AppEvent } from "../../apps/app-events.ts";
import type { AppHost } from "../../apps/app-host.ts";
import type { Robot } from "../../control/robot.ts";
import { Counters, exposition, type Labels } from "./prometheus.ts";

export interface MetricsParts {
  robot: Robot;
  apps: AppHost;
  version: string;
  /** Resident set size of the daemon's main process, bytes. */
  residentBytes: () => number;
}

/** What `GET /metrics` tells: the slot, the robot's loop and bus, requests, memory. */
export class Metrics {
  readonly #parts: MetricsParts;
  readonly #starts = new Counters();
  readonly #ends = new Counters();
  readonly #requests = new Counters();
  #slotState: AppState | null = null;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    parts.apps.onEvent((event) => this.#note(event));
  }

  /** Counts an answered request; `route` is its declared path, so that the number of samples stays small. */
  countRequest(method: string, route: string, status: number): void {
    this.#requests.add({ method, route, status: String(status) });
  }

  /** Everything in Prometheus' text format. */
  text(): string {
    const { robot, apps, version, residentBytes } = this.#parts;
    const { phase, loop } = robot.state;
    const state = apps.status()?.state;
    const none = (value: number): [Labels, number][] => [[{}, value]];
    const oneOf = (label: string, all: readonly string[], current: string | undefined): [Labels, number][] =>
      all.map((value) => [{ [label]: value }, value === current ? 1 : 0]);
    return exposition([
      { name: "robot_daemon_info", kind: "gauge", help: "Always 1.", samples: [[{ version }, 1]] },
      {
        name: "robot_slot_state",
        kind: "gauge",
        help: "1 for the state of the app slot; the slot is free in done and error, and when none is 1.",
        samples: oneOf("state", AppState.options, state),
      },
      { name: "robot_app_starts_total", kind: "counter", help: "Apps started.", samples: this.#starts.samples() },
      { name: "robot_app_ends_total", kind: "counter", help: "Apps ended.", samples: this.#ends.samples() },
      {
        name: "robot_phase",
        kind: "gauge",
        help: "1 for what the robot is doing.",
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
      { name: "robot_loop_hertz", kind: "gauge", help: "Rate of the control loop.", samples: none(loop.frequencyHz) },
      { name: "robot_loop_missed_total", kind: "counter", help: "Periods left out.", samples: none(loop.missed) },
      { name: "robot_bus_errors_total", kind: "counter", help: "Lost servo answers.", samples: none(loop.busErrors) },
      { name: "http_requests_total", kind: "counter", help: "Answered requests.", samples: this.#requests.samples() },
      {
        name: "process_resident_memory_bytes",
        kind: "gauge",
        help: "Resident memory of the daemon's main process.",
        samples: none(residentBytes()),
      },
    ]);
  }

  #note(event: AppEvent): void {
    if (event.kind !== "slot") return;
    const { state, info } = event.status;
    if (state === this.#slotState) return;
    this.#slotState = state;
    if (state === "starting") this.#starts.add({ app: info.name });
    if (state === "done" || state === "error") this.#ends.add({ app: info.name, outcome: state });
  }
}
