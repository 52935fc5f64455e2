import type { AppResult } from "../run/certify-app.ts";

/** A metric, as Prometheus has them. */
interface Metric {
  name: string;
  type: "counter" | "gauge";
  help: string;
  samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/** Counts what a worker does. */
export class WorkerMetrics {
  readonly #verdicts = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #startedAt: number;
  #running = 0;
  #known = 0;
  #seconds = 0;
  #cpuSeconds = 0;

  /** @param startedAt seconds since the Unix epoch */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  begin(): void {
    this.#running += 1;
  }

  end(result: AppResult | { kind: "no-verdict" }): void {
    this.#running -= 1;
    if (result.kind === "failed") add(this.#failures, result.failure.kind);
    if (result.kind !== "verdict") return;
    if (result.known) {
      this.#known += 1;
      return;
    }
    add(this.#verdicts, result.verdict.verdict);
    this.#seconds += result.verdict.cost.seconds;
    this.#cpuSeconds += result.verdict.cost.cpuSeconds;
  }

  /**
   * @param jobs number of jobs in the queue by their state; null while Redis does not answer
   * @param workers number of workers of the queue; null while Redis does not answer
   */
  collect(jobs: Readonly<Record<string, number>> | null, workers: number | null): Metric[] {
    const by = (label: string, counts: Iterable<[string, number]>) =>
      [...counts].map(([name, count]) => [{ [label]: name }, count] as const);
    const one = (value: number) => [[{}, value] as const];
    return [
      gauge("queue_jobs", "Jobs in the queue by their state.", by("state", Object.entries(jobs ?? {}))),
      gauge("queue_workers", "Workers of the queue.", workers === null ? [] : one(workers)),
      gauge("redis_up", "Whether Redis answers.", one(jobs === null ? 0 : 1)),
      gauge("worker_start_time_seconds", "Unix time at which this worker started, in seconds.", one(this.#startedAt)),
      gauge("worker_running", "Certifications that run in this worker.", one(this.#running)),
      counter("verdicts_total", "Verdicts that this worker gave.", by("verdict", this.#verdicts)),
      counter("already_known_total", "Apps of this worker that already had a verdict.", one(this.#known)),
      counter("failures_total", "Attempts of this worker without a verdict.", by("kind", this.#failures)),
      counter(
        "certification_seconds_total",
        "Duration of this worker's certifications with a new verdict, in seconds.",
        one(this.#seconds),
      ),
      counter(
        "certification_cpu_seconds_total",
        "Processor time of these certifications, in seconds.",
        one(this.#cpuSeconds),
      ),
    ];
  }
}

/** Metrics in Prometheus's text format. */
export const formatMetrics = (metrics: readonly Metric[]): string => metrics.map(formatMetric).join("");

/** Metrics as an HTML page that reloads every 5 s. Nothing is escaped: names and labels must be constants of this program. */
export function formatMetricsPage(metrics: readonly Metric[]): string {
  const rows = metrics.flatMap(({ name, help, samples }) =>
    samples.map(([labels, value]) => {
      const what = [name, ...Object.values(labels)].join(" ");
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

const add = (counts: Map<string, number>, name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
const gauge = (name: string, help: string, samples: Metric["samples"]): Metric => ({
  name,
  type: "gauge",
  help,
  samples,
});
const counter = (name: string, help: string, samples: Metric["samples"]): Metric => {
  return { name, type: "counter", help, samples };
};

function formatMetric({ name, type, help, samples }: Metric): string {
  const full = `robot_catalogue_${name}`;
  const lines = samples.map(([labels, value]) => {
    const text = Object.entries(labels).map(([label, of]) => `${label}=${JSON.stringify(of)}`);
    return `${full}${text.length === 0 ? "" : `{${text.join(",")}}`} ${value}`;
  });
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines, ""].join("\n");
}
