import { expect, test } from "vitest";
import { judged, run } from "../testing/judged.ts";
import { slope, steadyGrowth } from "./life-010-no-resource-growth.ts";

test("LIFE-010 sees an app that grows during one run", () => {
  const samples = (bytes: number, open: number) =>
    Array.from({ length: 16 }, (_, at) => ({
      t: at / 2,
      waited: 0,
      memory: 5e7 + at * bytes,
      descriptors: 10 + at * open,
      files: 0,
      bytes: 0,
    }));
  const cycles = Array.from({ length: 5 }, () => ({ files: 0, memoryBytes: 5e7, descriptors: 10 }));
  expect(judged("LIFE-010", { facts: { cycles, usageSamples: samples(1e4, 0) } }).status).toBe("pass");
  expect(judged("LIFE-010", { facts: { cycles, usageSamples: samples(3e6, 0) } }).findings[0]?.message).toContain(
    "memory grew",
  );
  expect(judged("LIFE-010", { facts: { cycles, usageSamples: samples(0, 2) } }).findings[0]?.message).toContain(
    "descriptors",
  );
});

test("what an app loads late, because others had the processors, is no growth", () => {
  const cycles = Array.from({ length: 5 }, () => ({ files: 0, memoryBytes: 5e7, descriptors: 10 }));
  const judgedWith = (waits: (at: number) => number) => {
    const samples = Array.from({ length: 16 }, (_, at) => {
      const part = Math.min(at, 9) / 9;
      return {
        t: at / 2,
        waited: waits(at),
        memory: 5e7 + 3e7 * part,
        descriptors: 10 + 20 * part,
        files: 0,
        bytes: 0,
      };
    });
    return judged("LIFE-010", { facts: { cycles, usageSamples: samples } });
  };
  expect(judgedWith(() => 0).status).toBe("warn");
  expect(judgedWith((at) => Math.min(at, 9) / 3).status).toBe("pass");
  expect(judgedWith((at) => at / 3)).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining("too busy"),
  });
});

test("a leak is not passed where a busy machine left too little of the run to reach the limit", () => {
  const cycles = Array.from({ length: 5 }, () => ({ files: 0, memoryBytes: 5e7, descriptors: 10 }));
  // The last five of sixteen samples count: 2 s, in which 4.8 MB a second are less than 10 MB.
  const samples = Array.from({ length: 16 }, (_, at) => {
    return {
      t: at / 2,
      waited: 3.5 * Math.min(1, at / 11),
      memory: 5e7 + at * 2.4e6,
      descriptors: 10,
      files: 0,
      bytes: 0,
    };
  });
  expect(judged("LIFE-010", { facts: { cycles, usageSamples: samples } })).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining("too busy"),
  });
});

test("growth in one run does not concern an app that ends by itself before it is measured", () => {
  const cycles = Array.from({ length: 5 }, () => ({ files: 0, memoryBytes: null, descriptors: null }));
  const judgedWith = (code: number) => {
    const ended = run({ endRequestedAt: null, endCause: "by-itself", exit: { code, signal: null } });
    return judged("LIFE-010", { appRuns: [ended], facts: { cycles } }).status;
  };
  expect([judgedWith(0), judgedWith(1)]).toEqual(["pass", "inconclusive"]);
});

test("the slope is that of the line through the values", () => {
  expect(slope([3, 5, 7, 9])).toBeCloseTo(2);
  expect(slope([4, 4, 4])).toBe(0);
  expect(slope([5])).toBe(0);
  expect(slope([1, 0, 1, 0, 1])).toBeCloseTo(0);
});

test("values that fall in between, or are few, have no growth", () => {
  expect(steadyGrowth([3, 5, 5, 9])).toBeGreaterThan(0);
  expect(steadyGrowth([3, 9, 5, 12])).toBe(0);
  expect(steadyGrowth([3, 5, 9])).toBe(0);
});
