import { beforeEach, expect, test } from "vitest";
import { ManualClock } from "../../../../common/time/manual-clock.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { RefusedTargetReporter } from "./refused-target-reporter.ts";
import { StatusReporter } from "./status-reporter.ts";

const motorsOff = new WorkbenchError("motors-off", "The motors are off.");
const moveRuns = new WorkbenchError("target-refused", "A move runs.");

let clock: ManualClock;
let refused: RefusedTargetReporter;
let reported: string[];

beforeEach(() => {
  clock = new ManualClock();
  const status = new StatusReporter(clock, () => ({}));
  reported = [];
  status.events.on(({ message }) => reported.push(message));
  refused = new RefusedTargetReporter(status, clock);
});

/** Refuses 50 targets a second. */
function refuseFor(seconds: number): void {
  for (let count = 0; count < 50 * seconds; count++) {
    refused.report(motorsOff);
    clock.advance(20);
  }
}

test("refusals that go on are reported once, and then counted every minute and at their end", () => {
  refuseFor(125);
  expect(reported).toEqual([
    "The motors are off.",
    "2999 more targets were refused for the same reason within 60 s of the first.",
    "3000 more targets were refused for the same reason within 120 s of the first.",
  ]);
  clock.advance(20_000);
  expect(reported.slice(3)).toEqual(["250 more targets were refused for the same reason within 125 s of the first."]);
  refused.report(motorsOff);
  expect(reported.slice(4)).toEqual(["The motors are off."]);
});

test("another reason is reported immediately", () => {
  refused.report(motorsOff);
  refused.report(moveRuns);
  expect(reported).toEqual(["The motors are off.", "A move runs."]);
});

test("the first refusal of another app is reported immediately", () => {
  refuseFor(1);
  refused.end();
  refused.report(motorsOff);
  expect(reported).toEqual([
    "The motors are off.",
    "49 more targets were refused for the same reason within 1 s of the first.",
    "The motors are off.",
  ]);
  clock.advance(60_000);
  expect(reported).toHaveLength(3);
});
