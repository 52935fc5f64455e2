import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RenderLoop } from "./render-loop.ts";

/** What the screen refreshes call, and what a key calls. */
let frame: ((milliseconds: number) => void) | undefined;
let key: (() => void) | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  frame = key = undefined;
  vi.stubGlobal("requestAnimationFrame", (callback: (milliseconds: number) => void) => {
    frame = callback;
    return 1;
  });
  vi.stubGlobal("cancelAnimationFrame", () => {
    frame = undefined;
  });
  vi.stubGlobal("addEventListener", (_name: string, listener: () => void) => {
    key = listener;
  });
  vi.stubGlobal("removeEventListener", () => {
    key = undefined;
  });
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A loop that always has something to draw, after a drawing that took so many milliseconds to come. */
function loopAfter(milliseconds: number) {
  let drawings = 0;
  const loop = new RenderLoop({} as HTMLCanvasElement, () => {
    drawings += 1;
    return true;
  });
  /** The screen refreshes after so many milliseconds. */
  const refresh = (after: number): void => {
    vi.advanceTimersByTime(after);
    const callback = frame;
    frame = undefined;
    callback?.(performance.now());
  };
  loop.wake();
  refresh(milliseconds);
  return { loop, refresh, drawings: () => drawings };
}

test("a slow machine pauses as long as a drawing took, and draws nothing right after a key", () => {
  const { loop, refresh, drawings } = loopAfter(100);
  expect([loop.isSlow, drawings()]).toEqual([true, 1]);
  vi.advanceTimersByTime(100);
  key?.();
  refresh(200);
  expect(drawings()).toBe(1);
  vi.advanceTimersByTime(100);
  refresh(10);
  expect(drawings()).toBe(2);
});

test("keys hold a drawing up for a second at most, and not on a fast machine", () => {
  const { refresh, drawings } = loopAfter(100);
  for (let at = 0; at < 1500; at += 100) {
    key?.();
    refresh(100);
  }
  expect(drawings()).toBeGreaterThan(1);
  const fast = loopAfter(10);
  key?.();
  fast.refresh(10);
  expect(fast.drawings()).toBe(2);
});

test("a loop that has stopped listens to no keys", () => {
  loopAfter(100).loop.stop();
  expect(key).toBeUndefined();
});
