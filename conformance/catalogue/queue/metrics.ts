import { Counter, Gauge, Registry } from "prom-client";
import type { AppResult } from "../run/certify-app.ts";

const PREFIX = "robot_catalogue_";

/** What a worker does, and what is in its queue, for Prometheus. */
export class WorkerMetrics {
  readonly #registry = new Registry();
  readonly #jobs = this.#gauge("queue_jobs", "Jobs in the queue by their state.", "state");
  readonly #workers = this.#gauge("queue_workers", "Workers of the queue.");
  readonly #redisUp = this.#gauge("redis_up", "Whether Redis answers.");
  readonly #startTime = this.#gauge("worker_start_time_seconds", "Unix time at which this worker started, in seconds.");
  readonly #running = this.#gauge("worker_running", "Certifications that run in this worker.");
  readonly #verdicts = this.#counter("verdicts_total", "Verdicts that this worker gave.", "verdict");
  readonly #known = this.#counter("already_known_total", "Apps of this worker that already had a verdict.");
  readonly #failures = this.#counter("failures_total", "Attempts of this worker without a verdict.", "kind");
  readonly #seconds = this.#counter(
    "certification_seconds_total",
    "Duration of this worker's certifications with a new verdict, in seconds.",
  );
  readonly #cpuSeconds = this.#counter(
    "certification_cpu_seconds_total",
    "Processor time of these certifications, in seconds.",
  );

  /** @param startedAt seconds since the Unix epoch */
  constructor(startedAt: number) {
    this.#startTime.set(startedAt);
  }

  begin(): void {
    this.#running.inc();
  }

  end(result: AppResult | { kind: "no-verdict" }): void {
    this.#running.dec();
    if (result.kind === "failed") this.#failures.inc({ kind: result.failure.kind });
    if (result.kind !== "verdict") return;
    if (result.known) {
      this.#known.inc();
      return;
    }
    const { verdict, cost } = result.verdict;
    this.#verdicts.inc({ verdict });
    this.#seconds.inc(cost.seconds);
    this.#cpuSeconds.inc(cost.cpuSeconds);
  }

  /**
   * @param jobs number of jobs in the queue by their state; null while Redis does not answer
   * @param workers number of workers of the queue; null while Redis does not answer
   */
  setQueue(jobs: Readonly<Record<string, number>> | null, workers: number | null): void {
    this.#jobs.reset();
    for (const [state, count] of Object.entries(jobs ?? {})) this.#jobs.set({ state }, count);
    if (workers === null) this.#workers.remove();
    else this.#workers.set(workers);
    this.#redisUp.set(jobs === null ? 0 : 1);
  }

  /** In Prometheus's text format. */
  format(): Promise<string> {
    return this.#registry.metrics();
  }

  /** As an HTML page that reloads every 5 s. Nothing is escaped: names and labels must be constants of this program. */
  async formatPage(): Promise<string> {
    const rows = (await this.#registry.getMetricsAsJSON()).flatMap(({ name, help, values }) =>
      values.map(({ labels, value }) => {
        const what = [name.replace(PREFIX, ""), ...Object.values(labels)].join(" ");
        return `<tr><th>${what}</th><td>${Math.round(value * 10) / 10}</td><td>${help}</td></tr>`;
      }),
    );
    return [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5">',
      '<meta name="color-scheme" content="light dark"><title>Catalogue worker</title>',
      "<style>body{font:15px system-ui;margin:2em}th{text-align:left;font-weight:600}td,th{padding:.2em 1em .2em 0}</style>",
      `</head><body><h1>Catalogue worker</h1><table>${rows.join("")}</table></body></html>`,
    ].join("");
  }

  #gauge(name: string, help: string, ...labelNames: string[]): Gauge {
    return new Gauge({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
  }

  #counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
  }
}
