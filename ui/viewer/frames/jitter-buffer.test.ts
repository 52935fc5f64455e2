import { describe, expect, test } from "vitest";
import { JitterBuffer } from "./jitter-buffer.ts";

const interpolate = (from: number, to: number, share: number): number => from + (to - from) * share;

describe("a jitter buffer", () => {
  test("is empty before the first state", () => {
    expect(new JitterBuffer(interpolate).sample(5)).toBeUndefined();
  });

  test("plays at an even pace although states arrive unevenly", () => {
    const buffer = new JitterBuffer(interpolate);
    const delays = [0, 0.012, 0.003, 0.02, 0.001];
    delays.forEach((delay, i) => {
      buffer.push(i * 0.04, i, 100 + i * 0.04 + delay);
    });
    const values = [100.06, 100.07, 100.08, 100.09].map((now) => buffer.sample(now) ?? Number.NaN);
    const steps = values.slice(1).map((value, i) => value - (values[i] ?? Number.NaN));
    for (const step of steps) expect(step).toBeCloseTo(0.25, 3);
  });

  test("holds the last state when no more arrive", () => {
    const buffer = new JitterBuffer(interpolate);
    buffer.push(0, 1, 10);
    buffer.push(0.04, 2, 10.04);
    expect(buffer.sample(20)).toBe(2);
  });

  test("starts over when the sender's clock jumps back", () => {
    const buffer = new JitterBuffer(interpolate);
    buffer.push(500, 1, 10);
    buffer.push(0, 2, 10.1);
    expect(buffer.sample(10.1)).toBe(2);
  });
});
