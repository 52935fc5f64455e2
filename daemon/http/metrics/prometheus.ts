/** Labels of one sample. */
type Labels = Readonly<Record<string, string>>;

/** One metric with its samples. */
export interface MetricFamily {
  name: string;
  kind: "counter" | "gauge";
  help: string;
  samples: readonly (readonly [Labels, number])[];
}

const LABEL_ESCAPES: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(
    ([label, labelText]) =>
      `${label}="${labelText.replace(/[\\"\n]/g, (character) => LABEL_ESCAPES[character] ?? character)}"`,
  );
  const text = Number.isFinite(value) ? String(value) : Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${text}\n`;
}

/** Formats metrics in Prometheus' text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
export const formatMetrics = (families: readonly MetricFamily[]): string =>
  families
    .map(({ name, kind, help, samples }) => {
      const head = `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
      return head + samples.map(([labels, value]) => line(name, labels, value)).join("");
    })
    .join("");

/** One counter for each set of label values. All calls of `add` must use the same label names. */
export class Counters {
  readonly #counts = new Map<string, { labels: Labels; value: number }>();

  add(labels: Labels): void {
    const key = Object.values(labels).join("\n");
    const count = this.#counts.get(key);
    if (count) count.value += 1;
    else this.#counts.set(key, { labels, value: 1 });
  }

  samples(): [Labels, number][] {
    return [...this.#counts.values()].map(({ labels, value }) => [labels, value]);
  }
}
