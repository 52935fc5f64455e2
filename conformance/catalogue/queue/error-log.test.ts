import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { createErrorLog } from "./error-log.ts";

test("prints an error of each source now and then, and counts those left out", () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const report = createErrorLog((text) => lines.push(text), clock);
  for (let second = 0; second <= 30; second += 1) {
    report("Redis", new Error("connect ECONNREFUSED"));
    if (second === 1) report("the store", Object.assign(new AggregateError([], ""), { code: "ECONNRESET" }));
    clock.advance(1000);
  }
  expect(lines).toEqual([
    "Redis: connect ECONNREFUSED\n",
    "the store: ECONNRESET\n",
    "Redis: connect ECONNREFUSED (29 more before it)\n",
  ]);
});
