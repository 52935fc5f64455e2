import { expect, test } from "vitest";
import { Counters, formatMetrics } from "./prometheus.ts";

test("metrics are written in the text format, with special characters escaped", () => {
  const counters = new Counters();
  counters.add({ app: 'a"b\\c\nd', outcome: "done" });
  counters.add({ app: 'a"b\\c\nd', outcome: "done" });
  counters.add({ app: "e", outcome: "error" });
  const text = formatMetrics([
    { name: "ends_total", kind: "counter", help: "Ends.", samples: counters.samples() },
    { name: "load", kind: "gauge", help: "Load.", samples: [[{}, 0.5]] },
    {
      name: "limits",
      kind: "gauge",
      help: "Limits.",
      samples: [Number.NaN, Infinity, -Infinity].map((value) => [{}, value]),
    },
  ]);
  expect(text).toBe(`# HELP ends_total Ends.
# TYPE ends_total counter
ends_total{app="a\\"b\\\\c\\nd",outcome="done"} 2
ends_total{app="e",outcome="error"} 1
# HELP load Load.
# TYPE load gauge
load 0.5
# HELP limits Limits.
# TYPE limits gauge
limits NaN
limits +Inf
limits -Inf
`);
});
