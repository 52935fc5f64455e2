import { expect, test } from "vitest";
import type { AppRun, Command } from "../../evidence/app-run.ts";
import { judged, run } from "../testing/judged.ts";

/** Targets of the antennas every 20 ms for four seconds. @param antenna radians at a time */
const targets = (antenna: (t: number) => number): Command[] =>
  Array.from({ length: 200 }, (_, index) => ({
    ...{ t: 2 + index / 50, pid: 1, connection: 1, isPublic: false, kind: "set_full_target" },
    text: JSON.stringify({ type: "set_full_target", antennas: [antenna(index / 50), 0] }),
  }));
const smooth = targets((t) => 0.3 * Math.sin(2 * t));
const jumping = targets((t) => (t % 1 < 0.5 ? 2 : -2));

const statusOf = (commands: readonly Command[], changes: Partial<AppRun> = {}) =>
  judged("MOT-002", { appRuns: [run({ commands, ...changes })] }).status;

test("smooth targets pass, and jumps are a warning, also where the app or the harness waited at another time", () => {
  const other = [{ t: 2.6, seconds: 0.2 }];
  for (const changes of [{}, { processorDelays: other }, { harnessDelays: other }]) {
    expect(statusOf(smooth, changes)).toBe("pass");
    expect(statusOf(jumping, changes)).toBe("warn");
  }
});

test("nothing is known of an app that waited for a processor all the time; short delays of the harness change nothing", () => {
  const always = [{ t: 7, seconds: 6 }];
  expect(statusOf(jumping, { processorDelays: always })).toBe("inconclusive");
  const short = Array.from({ length: 100 }, (_, index) => ({ t: 2 + index / 25, seconds: 0.03 }));
  expect(statusOf(jumping, { harnessDelays: short })).toBe("warn");
  expect(statusOf([])).toBe("not-applicable");
});
