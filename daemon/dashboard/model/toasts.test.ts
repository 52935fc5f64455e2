import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Toasts } from "./toasts.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const shown = (toasts: Toasts) => toasts.list.value.map(({ text, count }) => [text, count]);

test("the same words count up instead of piling up, and stay from the last time on", () => {
  const toasts = new Toasts();
  toasts.show("warning", "clipped");
  vi.advanceTimersByTime(7000);
  toasts.show("warning", "clipped");
  vi.advanceTimersByTime(7000);
  expect(shown(toasts)).toEqual([["clipped", 2]]);
  vi.advanceTimersByTime(2000);
  expect(shown(toasts)).toEqual([]);
});

test("at most four stand; the oldest gives way", () => {
  const toasts = new Toasts();
  for (const text of ["a", "b", "c", "d", "e"]) toasts.report(new Error(text));
  expect(shown(toasts).map(([text]) => text)).toEqual(["b", "c", "d", "e"]);
});
