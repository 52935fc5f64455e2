import { expect, test } from "vitest";
import { LiveAppRun } from "../../runner/observe/live-app-run.ts";
import type { TestBed } from "../../runner/test-bed.ts";
import { playRounds } from "./play-rounds.ts";

/** Plays two outages with an app that is connected again only while the harness waits for it; returns what was done. */
async function playOutages({ connected }: { connected: boolean }) {
  const done: string[] = [];
  const run = new LiveAppRun("random-user", 0, 5);
  const connect = () => {
    run.connections += 1;
    run.openConnections.add(run.connections);
  };
  if (connected) connect();
  const bed = {
    rig: { emptyAppFolders: async () => {} },
    tap: {
      setDelay: () => {},
      dropConnections: () => run.openConnections.clear(),
      restore: () => done.push("restore"),
    },
    start: async () => run,
    stop: async () => {},
    waitForMilestone: async () => true,
    recordAction: () => {},
    letRun: async (_: LiveAppRun, seconds: number) => done.push(`run ${seconds} s`),
    waitFor: async (seconds: number, what: string, condition: () => boolean) => {
      connect();
      done.push(`${what}: ${condition()}, within ${seconds} s`);
    },
  };
  const outage = { do: "outage", ms: 2000 } as const;
  await playRounds(bed as unknown as TestBed, [{ steps: [outage, outage], end: "stop" }]);
  return done;
}

test("an outage is over when the app is connected again, so that two do not become one", async () => {
  const outage = ["run 2 s", "restore", "the app reconnects: true, within 3 s", "run 0.3 s"];
  expect(await playOutages({ connected: true })).toEqual([...outage, ...outage]);
});

test("an app that had closed its connection is not waited for", async () => {
  const outage = ["run 2 s", "restore", "run 0.3 s"];
  expect(await playOutages({ connected: false })).toEqual([...outage, ...outage]);
});
