import fc from "fast-check";
import { expect, test } from "vitest";
import { processorShare, starvedSeconds } from "./processor-share.ts";

const use = (at: number, cpu: number, waits: Record<string, number> = {}) => ({
  at,
  cpu,
  waits: new Map(Object.entries(waits)),
});

test("the time in which a thread waited for a processor is left out", () => {
  expect(processorShare(use(10, 1), use(15, 5))).toBeCloseTo(0.8);
  expect(processorShare(use(10, 1, { a: 2 }), use(15, 3.4, { a: 4.6 }))).toBeCloseTo(1);
  expect(processorShare(use(10, 1), use(15, 3.4, { "begun since": 2.6 }))).toBeCloseTo(1);
});

test("waits of several threads at the same time count once", () => {
  expect(processorShare(use(0, 0), use(10, 2, { a: 5, b: 5, c: 4 }))).toBeCloseTo(0.4);
});

test("a loop without a pause has the same share whatever the machine leaves it", () => {
  const share = fc.double({ min: 0.2, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, (left) => {
      expect(processorShare(use(0, 0), use(10, 10 * left, { loop: 10 * (1 - left) }))).toBeCloseTo(1);
    }),
  );
});

test("a moment is no measure", () => {
  expect(processorShare(use(0, 0), use(0.01, 0.01))).toBeCloseTo(0.01);
});

test("an app is starved while one of its threads is, unless it fills a processor itself", () => {
  expect(starvedSeconds(use(10, 1, { main: 2 }), use(15, 2, { main: 2.1, import: 3.5 }))).toBe(3.5);
  expect(starvedSeconds(use(10, 1), use(15, 5, { "one of many": 3.5 }))).toBe(0);
});
