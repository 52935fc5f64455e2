import { beforeEach, expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { Watchdog } from "./watchdog.ts";

let clock: ManualClock;
let calls: string[];
let watchdog: Watchdog;

beforeEach(() => {
  clock = new ManualClock();
  calls = [];
  const call = (name: string) => () => void calls.push(`${name} ${clock.now()}`);
  watchdog = new Watchdog({
    clock,
    expiresAfterMs: 3000,
    onUnresponsive: call("unresponsive"),
    onResponsive: call("responsive"),
    onExpired: call("expired"),
  });
});

test("nothing is reported before the first message, nor while messages come", () => {
  clock.advance(10_000);
  for (let messages = 0; messages < 100; messages++) {
    watchdog.reset();
    clock.advance(700);
  }
  expect(calls).toEqual([]);
});

test("silence is reported within a second, its end too, and it expires once", () => {
  watchdog.reset();
  clock.advance(1000);
  expect(calls).toEqual(["unresponsive 800"]);
  watchdog.reset();
  expect(calls).toEqual(["unresponsive 800", "responsive 1000"]);
  clock.advance(60_000);
  expect(calls.slice(2)).toEqual(["unresponsive 1800", "expired 4000"]);
});

test("a stall of this process does not count as silence of the other one", () => {
  watchdog.reset();
  // As when timers and messages of a whole minute are handled in one turn, timers first.
  clock.now = () => 60_000;
  clock.advance(100);
  watchdog.reset();
  expect(calls).toEqual([]);
});

test("a stopped watchdog reports nothing", () => {
  watchdog.reset();
  watchdog.stop();
  watchdog.reset();
  clock.advance(10_000);
  expect(calls).toEqual([]);
});
