import { expect, test } from "vitest";
import { Counters, exposition } from "./prometheus.ts";

test("metrics are written in the text format, with what is special escaped", () => {
  const counters = new Counters();
  counters.add({ app: 'a"b\\c\nd', outcome: "done" });
  counters.add({ app: 'a"b\\c\nd', outcome: "done" });
  counters.add({ app: "e", outcome: "error" });
  const text = exposition([
    { name: "ends_total", kind: "counter", help: "Ends.", samples: counters.samples() },
    { name: "load", kind: "gauge", help: "Load.", samples: [[{}, 0.5]] },
    {
      name: "odd",
      kind: "gauge",
      help: "Odd.",
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
# HELP odd Odd.
# TYPE odd gauge
odd NaN
odd +Inf
odd -Inf
`);
});
