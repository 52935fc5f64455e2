import { afterEach, describe, expect, test, vi } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { AppProcessEvent } from "../../../robot/wire/apps/app-events.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { TOO_BUSY } from "../host.ts";
import { ObservationLog } from "./observation-log.ts";

let log: ObservationLog | undefined;
afterEach(() => log?.close());

const START = 1_000_000;
/** A log that started at zero, with its clock at `time.now` seconds. */
function logAt(time: { now: number }): ObservationLog {
  let started = false;
  const clock = () => START + (started ? 1000 * time.now : 0);
  log = new ObservationLog("first-run", 5, clock, undefined, undefined, clock);
  started = true;
  return log;
}
const slot = (state: AppStatus["state"]) => ({ state, error: null, info: { name: "my_app" } });
const exited = (fields: Partial<Extract<AppProcessEvent, { what: "exited" }>>): AppProcessEvent => ({
  ...{ what: "exited", app: "my_app", pid: 999_999_999, time: START + 4000, code: 0, signal: null, forced: false },
  ...{ leftBehind: [], survivors: [] },
  ...fields,
});
const robotEvent = (kind: string, level: string, message = "it happened") => ({ kind, level, message, data: {} });

test("a run goes from the start of the slot to its end, with pid, exit and leftovers as the daemon reports them", () => {
  const time = { now: 0 };
  const observed = logAt(time);
  observed.onEvent("slot", slot("starting"));
  observed.onEvent("process", { what: "started", app: "my_app", pid: 999_999_999, time: START });
  time.now = 1;
  observed.onConnectAttempt(999_999_999);
  observed.onConnect(999_999_999, 1);
  observed.onEvent(
    "process",
    exited({ code: null, signal: "SIGKILL", leftBehind: [{ pid: 5, command: "sleep 300" }] }),
  );
  time.now = 5;
  observed.onEvent("slot", slot("done"));
  expect(observed.runs.map((run) => run.toJSON())).toMatchObject([
    {
      pid: 999_999_999,
      connectAttemptAt: 1,
      connectedAt: 1,
      exitedAt: 4,
      exit: { code: null, signal: "SIGKILL" },
      leftoverProcesses: ["sleep 300 (ended by the daemon)"],
    },
  ]);
  expect(observed.runs[0]?.hasEnded).toBe(true);
});

describe("an app had to be killed", () => {
  /** The run of an app that exits after `seconds`, two of them before it is asked to end. */
  function runOf(seconds: number, forced: boolean | null) {
    const time = { now: 0 };
    const observed = logAt(time);
    observed.onEvent("slot", slot("starting"));
    observed.onEvent("process", { what: "started", app: "my_app", pid: 999_999_999, time: START });
    const run = observed.runs.at(-1);
    run?.requestEnd("stop", 2, null);
    time.now = seconds;
    if (forced === null) {
      if (run) observed.endAppRun(run);
    } else {
      observed.onEvent("process", exited({ time: START + 1000 * seconds, forced }));
      observed.onEvent("slot", slot("done"));
    }
    return run?.toJSON();
  }

  test("when the daemon says so, whatever the time since the request", () => {
    expect(runOf(7.3, false)).toMatchObject({ exitedAt: 7.3, forceStopped: false });
    expect(runOf(6.9, true)).toMatchObject({ exitedAt: 6.9, forceStopped: true });
  });

  test("when it took the grace period, if the daemon did not start it", () => {
    expect(runOf(7.3, null)).toMatchObject({ exitedAt: 7.3, forceStopped: true });
    expect(runOf(6.9, null)).toMatchObject({ exitedAt: 6.9, forceStopped: false });
  });

  test("is not what a SIGKILL of the test run itself means", () => {
    const observed = logAt({ now: 3 });
    observed.onEvent("slot", slot("starting"));
    observed.onEvent("process", { what: "started", app: "my_app", pid: 999_999_999, time: START });
    observed.runs[0]?.requestEnd("kill", 3, null);
    observed.onEvent("process", exited({ code: null, signal: "SIGKILL" }));
    expect(observed.runs[0]?.toJSON()).toMatchObject({ endCause: "kill", forceStopped: false });
  });
});

describe("an app that does not connect in its time", () => {
  interface Start {
    waited: number;
    othersRan: number;
    starved?: number;
    endsByItself?: boolean;
  }

  /** The harness failure after a run that is asked to end without a connection, or ends by itself. */
  function failureOf(seconds: number, { starved, endsByItself = false, ...wait }: Start) {
    const time = { now: 0 };
    const observed = logAt(time);
    const run = observed.beginAppRun();
    run.startWait = wait;
    run.starvedAtStart = starved ?? null;
    time.now = seconds;
    if (!endsByItself) run.requestEnd("stop", observed.now(), null);
    observed.endAppRun(run);
    return observed.harnessFailure;
  }

  test("is to be repeated when others had the processors for most of the longest time that it is waited for", () => {
    const failure = failureOf(90.1, { waited: 62_000, othersRan: 300 });
    const waited = "waited for a processor for 62.0 of 90.1 s, so it had less than 30 s";
    expect(failure).toBe(`the app did not connect, and ${waited}: ${TOO_BUSY}`);
  });

  test("is judged when it had its time, or waited for itself, or ended before", () => {
    expect(failureOf(40, { waited: 9000, othersRan: 0 })).toBeNull();
    expect(failureOf(90.1, { waited: 62_000, othersRan: 60_000 })).toBeNull();
    expect(failureOf(4, { waited: 2100, othersRan: 0 })).toBeNull();
  });

  test("is to be repeated when it was starved and its time limit left nothing out", () => {
    const starvation = `the app waited for a processor for 1.9 of 2 s: ${TOO_BUSY}`;
    expect(failureOf(31, { waited: 16_000, othersRan: 14_000, starved: 1900 })).toBe(starvation);
    expect(failureOf(8, { waited: 6000, othersRan: 0, starved: 1900, endsByItself: true })).toBe(starvation);
    expect(failureOf(8, { waited: 6000, othersRan: 0, endsByItself: true })).toBeNull();
    expect(failureOf(8, { waited: 6000, othersRan: 0, starved: 1900 })).toBeNull();
    expect(failureOf(50, { waited: 16_000, othersRan: 0, starved: 1900 })).toBeNull();
  });
});

describe("an app that is asked to end", () => {
  /** The harness failure after an end that took some seconds, in which one of its threads waited for a processor. */
  function failureOf(seconds: number, waited: number) {
    const time = { now: 0 };
    const observed = logAt(time);
    const run = observed.beginAppRun();
    const use = { at: 0, cpu: 1, waits: new Map([["import", 2]]) };
    run.requestEnd("stop", observed.now(), use);
    time.now = seconds;
    const after = { ...use, at: seconds, waits: new Map([["import", 2 + waited]]), memory: 0, memoryNow: 0 };
    vi.spyOn(observed, "usage", "get").mockReturnValue(after);
    observed.endAppRun(run);
    return observed.harnessFailure;
  }

  test("is to be repeated when it had to be killed, and one of its threads waited for a processor meanwhile", () => {
    const why = `the app waited for a processor for 3.5 of the 5 s that it has to end: ${TOO_BUSY}`;
    expect(failureOf(5.1, 3.5)).toBe(why);
  });

  test("is judged when it ended in time, or had a processor", () => {
    expect(failureOf(4.9, 3.5)).toBeNull();
    expect(failureOf(5.1, 0.5)).toBeNull();
  });
});

const sent = (pid: number | null, kind: string, text: string) => ({ pid, connection: 1, isPublic: false, kind, text });

test("a client of another process is not the app, but its commands count", () => {
  const observed = logAt({ now: 2 });
  observed.onEvent("slot", slot("starting"));
  observed.onEvent("process", { what: "started", app: "my_app", pid: 999_999_999, time: START });
  observed.onConnect(4711, 1);
  observed.onCommand(sent(4711, "set_target", "{}"));
  expect(observed.runs[0]).toMatchObject({ connectedAt: null, commands: [{ pid: 4711, kind: "set_target", t: 2 }] });
});

test("the last connection that the app closes is its end, unless it connects again or the tap closed it", () => {
  const time = { now: 0 };
  const observed = logAt(time);
  const run = observed.beginAppRun();
  const after = (now: number, event: () => void) => {
    time.now = now;
    event();
    return run.disconnectedAt;
  };
  expect([
    after(1, () => observed.onConnect(null, 1)),
    after(2, () => observed.onConnect(null, 2)),
    after(3, () => observed.onDisconnect(null, 2, false)),
    after(4, () => observed.onDisconnect(null, 1, true)),
    after(5, () => observed.onConnect(null, 3)),
    after(6, () => observed.onDisconnect(null, 3, false)),
    after(7, () => observed.onConnect(null, 4)),
  ]).toEqual([null, null, null, null, null, 6, null]);
});

const stateAt = (timestamp: number) =>
  ({ timestamp, headJoints: [], antennas: [], sent: null }) as unknown as RobotState;

test("a stall of the daemon may be part of a test run, one of the harness never", async () => {
  const time = { now: 0 };
  const observed = logAt(time);
  observed.expectsFaults = true;
  for (const timestamp of [1000, 1003]) observed.onState(stateAt(timestamp));
  expect(observed.harnessFailure).toBeNull();
  observed.expectsFaults = false;
  observed.onState(stateAt(1006));
  expect(observed.harnessFailure).toContain("the daemon stalled for 3.0 s");
  const other = logAt(time);
  other.expectsFaults = true;
  time.now += 3;
  await waitFor(DEADLINE_MS, "the stall is seen", () =>
    other.harnessFailure?.includes("the harness stalled for 3.0 s"),
  );
});

test("a recorded move that the daemon could not follow is recorded, unless servos fail", () => {
  const observed = logAt({ now: 0 });
  const run = observed.beginAppRun();
  const report = (reason: string, move: string | null) =>
    observed.onEvent("robot", { kind: "target_clipped", level: "warning", message: reason, data: { reason, move } });
  report("range", "recorded");
  report("rate", "recorded");
  report("reach", "goto");
  observed.expectsFaults = true;
  report("reach", "recorded");
  expect(run.clippedMoves.map(({ message }) => message)).toEqual(["range"]);
});

test("a fault that no test run asked for is a failure of the harness, and so is a lost link always", () => {
  const observed = logAt({ now: 0 });
  observed.expectsFaults = true;
  observed.onEvent("robot", robotEvent("fault", "error"));
  observed.onEvent("robot", robotEvent("move_ended", "info"));
  observed.onEvent("robot", robotEvent("phase", "error", "Servo 11 (stewart_1) reports overheated."));
  expect(observed.harnessFailure).toBeNull();
  observed.onEvent("robot", robotEvent("phase", "error", "No answer from any servo for 1 s."));
  expect(observed.harnessFailure).toBe(`the simulated robot did not answer for a second: ${TOO_BUSY}`);
});

test("an app counts as running when it has sent a command, or has been connected for a second", () => {
  const time = { now: 1 };
  const observed = logAt(time);
  const run = observed.beginAppRun();
  expect(run.isRunningAt(100)).toBe(false);
  observed.onConnect(null, 1);
  // What every SDK sends first says nothing about run().
  observed.onCommand(sent(null, "set_automatic_body_yaw", '{"enabled":true}'));
  expect([run.isRunningAt(1.5), run.isRunningAt(2)]).toEqual([false, true]);
  observed.onCommand(sent(null, "set_target", "{}"));
  expect(run.isRunningAt(1.5)).toBe(true);
});

test.each([
  ["task", '{"type":"task","req":{"duration":2}}', 2],
  ["/api/move/goto", '{"duration":3}', 3],
  ["/api/move/goto", "{}", 1],
])("a goto by %s with %s runs for %d s", (kind, text, duration) => {
  const observed = logAt({ now: 10 });
  const run = observed.beginAppRun();
  observed.onConnect(null, 1);
  observed.onCommand(sent(null, kind, text));
  expect(run.runningGotoAt(10.1)).toEqual({ since: 10, until: 10 + duration });
  expect(run.runningGotoAt(10 + duration)).toBeNull();
  run.requestEnd("stop", 10.1, null);
  expect(run.phase).toBe("mid-goto");
});

test.each([3600, -3600])(
  "a wall clock that is set by %i s during the test run makes its evidence worthless",
  async (step) => {
    let wallClock = START;
    log = new ObservationLog(
      "first-run",
      5,
      () => wallClock,
      undefined,
      undefined,
      () => 0,
    );
    expect(log.harnessFailure).toBeNull();
    wallClock += 1000 * step;
    const why = await waitFor(DEADLINE_MS, "a harness failure", () => log?.harnessFailure);
    expect(why).toBe(`the clock of this machine was set by ${step}.0 s during the test run`);
  },
);
