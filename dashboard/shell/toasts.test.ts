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

test("a text that comes again and again goes after 20 s, and stays away for a minute", () => {
  const toasts = new Toasts();
  const showFor = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      toasts.show("warning", "clipped");
      vi.advanceTimersByTime(1000);
    }
  };
  showFor(19);
  expect(shown(toasts)).toEqual([["clipped", 19]]);
  showFor(61);
  expect(shown(toasts)).toEqual([]);
  showFor(2);
  expect(shown(toasts)).toEqual([["clipped", 2]]);
});

test("a toast that a person dismissed does not come back for a minute", () => {
  const toasts = new Toasts();
  toasts.show("error", "refused");
  toasts.dismiss(toasts.list.value[0]?.id ?? 0);
  toasts.show("error", "refused");
  expect(shown(toasts)).toEqual([]);
});

test("toasts whose time is over go when the page is shown again, though no timer has run in the tab", () => {
  const toasts = new Toasts();
  toasts.show("info", "kept");
  toasts.show("error", "refused");
  vi.setSystemTime(Date.now() + 8 * 60_000);
  toasts.dismissOld();
  expect(shown(toasts)).toEqual([]);
});
