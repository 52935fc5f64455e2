import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Toasts } from "./toasts.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const shown = (toasts: Toasts) => toasts.list.value.map(({ text, count }) => [text, count]);

test("a repeated text raises the count and stays visible from its last repetition on", () => {
  const toasts = new Toasts();
  toasts.show("warning", "clipped");
  vi.advanceTimersByTime(7000);
  toasts.show("warning", "clipped");
  vi.advanceTimersByTime(7000);
  expect(shown(toasts)).toEqual([["clipped", 2]]);
  vi.advanceTimersByTime(2000);
  expect(shown(toasts)).toEqual([]);
});

test("at most four are visible; a new one replaces the oldest", () => {
  const toasts = new Toasts();
  for (const text of ["a", "b", "c", "d", "e"]) toasts.report(new Error(text));
  expect(shown(toasts).map(([text]) => text)).toEqual(["b", "c", "d", "e"]);
});
