import { expect, test } from "vitest";
import type { TestBed } from "../runner/test-bed.ts";
import { longRun } from "./long-run.ts";

/** What the test run does, with a random number that is always the same. */
async function stepsWith(random: number): Promise<string[]> {
  const steps: string[] = [];
  const note = (what: string) => async () => void steps.push(what);
  const bed = {
    options: { othersEnd: () => true },
    random: () => random,
    tap: { dropConnections: () => void steps.push("outage begins"), restore: () => void steps.push("outage ends") },
    start: async () => {
      steps.push("start");
      return { hasEnded: false, connections: 1 };
    },
    waitForMilestone: async () => true,
    waitFor: async () => {},
    letRun: async () => {},
    randomDelay: async () => {},
    recordAction: () => {},
    recordEndRequest: async () => {},
    signal: (_run: unknown, name: string) => void steps.push(name),
    waitForEnd: note("end"),
    stop: async (_run: unknown, cause = "stop") => void steps.push(`stop: ${cause}`),
  };
  await longRun.execute(bed as unknown as TestBed);
  return steps;
}

const FIRST = ["start", "outage begins", "outage ends", "stop: daemon-lost", "start"];

test("the app is stopped after a short outage, stopped or killed after a long run, and started again", async () => {
  expect(await stepsWith(0.9)).toEqual([...FIRST, "stop: stop", "start", "stop: stop"]);
  expect(await stepsWith(0.1)).toEqual([...FIRST, "SIGKILL", "end", "start", "stop: stop"]);
});
