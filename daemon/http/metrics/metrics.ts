import type { AppEvent } from "../../../robot/wire/apps/app-events.ts";
import { AppState } from "../../../robot/wire/apps/app-status.ts";
import { RobotPhase } from "../../../robot/wire/robot/robot-fields.ts";
import type { AppHost } from "../../apps/app-host.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { Counters, formatMetrics, type MetricFamily } from "./prometheus.ts";

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
    return formatMetrics([
      gauge("robot_daemon_info", "Always 1.", [[{ version }, 1]]),
      gauge(
        "robot_slot_state",
        "1 for the current state of the app slot, 0 for the others; all 0 before the first app.",
        oneOf("state", AppState.options, state),
      ),
      counter("robot_app_starts_total", "Apps started.", this.#starts.samples()),
      counter("robot_app_ends_total", "Apps ended.", this.#ends.samples()),
      gauge(
        "robot_phase",
        "1 for the robot's current phase, 0 for the others.",
        oneOf("phase", RobotPhase.options, phase),
      ),
      gauge("robot_loop_period_seconds", "Quantiles of the control loop's period.", [
        [{ quantile: "0.5" }, loop.periodP50Ms / 1000],
        [{ quantile: "0.99" }, loop.periodP99Ms / 1000],
      ]),
      gauge("robot_loop_hertz", "Rate of the control loop.", unlabelled(loop.frequencyHz)),
      counter("robot_loop_missed_total", "Skipped periods.", unlabelled(loop.missed)),
      counter("robot_bus_errors_total", "Servo replies that were lost.", unlabelled(loop.busErrors)),
      counter("http_requests_total", "Answered requests.", this.#requests.samples()),
      gauge(
        "process_resident_memory_bytes",
        "Resident memory of the daemon's main process.",
        unlabelled(residentBytes()),
      ),
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

type Samples = MetricFamily["samples"];

const family =
  (kind: MetricFamily["kind"]) =>
  (name: string, help: string, samples: Samples): MetricFamily => ({ name, kind, help, samples });
const gauge = family("gauge");
const counter = family("counter");
const unlabelled = (value: number): Samples => [[{}, value]];
const oneOf = (label: string, all: readonly string[], current: string | undefined): Samples =>
  all.map((value) => [{ [label]: value }, value === current ? 1 : 0]);
