import { beforeEach, describe, expect, test } from "vitest";
import { Emitter } from "../../../common/emitter.ts";
import { JumpingClock } from "../../../common/testing/jumping-clock.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { RecordingRobot } from "../testing/recording-robot.ts";
import { StartupApp } from "./startup-app.ts";

let robot: RecordingRobot;
let clock: JumpingClock;
let started: string[];
let problems: string[];
let starts: string[];
let busy: boolean;
let installs: string[];
let installing: Promise<void>;
let remote: boolean;
let startError: WorkbenchError | null;
let changes: Emitter<AppStatus>;
let userDecisions: Emitter<"start" | "stop">;
let startup: StartupApp;

beforeEach(() => {
  robot = new RecordingRobot();
  clock = new JumpingClock();
  [started, problems, installs, starts] = [[], [], [], []];
  installing = Promise.resolve();
  [busy, remote, startError] = [false, false, null];
  [changes, userDecisions] = [new Emitter(), new Emitter()];
  startup = startupApp("hello");
});

function startupApp(name: string | null): StartupApp {
  const created = new StartupApp(name, {
    robot,
    clock,
    checkAvailable: async () => {},
    ensureInstalled: async (name) => {
      installs.push(name);
      await installing;
    },
    save: async () => {},
    slot: {
      changes,
      userDecisions,
      get busy() {
        return busy;
      },
      async start(app) {
        started.push(app);
        if (startError !== null) throw startError;
        return status("starting");
      },
    },
    onProblem: (message) => problems.push(message),
    onStart: (message) => starts.push(message),
  });
  created.begin(() => remote);
  return created;
}

const status = (state: AppStatus["state"], error: string | null = null): AppStatus => ({
  info: { name: "hello", source_kind: "installed", description: "", url: null, extra: {} },
  state,
  error,
  since: 0,
});
const settle = () => new Promise((resolve) => setImmediate(resolve));
const wake = () => robot.becomes({ awake: true });

describe("after a wake-up", () => {
  test("the app starts when the robot has finished waking up, not before", async () => {
    robot.becomes({ awake: true, move: { id: "1", kind: "wake_up" } });
    await settle();
    expect(started).toEqual([]);
    robot.becomes({ move: null });
    robot.becomes({ timestamp: 1 });
    await settle();
    expect(started).toEqual(["hello"]);
  });

  test("it starts when the robot is awake already", async () => {
    wake();
    startup.close();
    started = [];
    startup = startupApp("hello");
    await settle();
    expect(started).toEqual(["hello"]);
  });

  test.each([
    ["no startup app is chosen", () => startup.choose(null)],
    ["another app holds the slot", () => (busy = true)],
    ["a program outside the slot moves the robot", () => (remote = true)],
  ])("nothing starts when %s", async (_, arrange) => {
    await arrange();
    wake();
    await settle();
    expect(started).toEqual([]);
  });

  test("it starts again after each further wake-up", async () => {
    wake();
    await settle();
    robot.becomes({ awake: false });
    wake();
    await settle();
    expect(started).toEqual(["hello", "hello"]);
  });
});

describe("at a touch of an antenna", () => {
  test("the sleeping robot wakes up and the app starts", async () => {
    robot.touchAntenna();
    await settle();
    expect(robot.calls).toEqual(["wakeUp"]);
    expect(started).toEqual(["hello"]);
  });

  test.each([
    ["it is awake", () => robot.becomes({ awake: true })],
    ["it is not ready", () => robot.becomes({ phase: "error" })],
    ["no startup app is chosen", () => startup.choose(null)],
    ["an app holds the slot", () => (busy = true)],
    ["a program outside the slot moves the robot", () => (remote = true)],
  ])("nothing happens when %s", async (_, arrange) => {
    await arrange();
    robot.touchAntenna();
    await settle();
    expect(robot.calls).toEqual([]);
  });

  test("the app is installed before the robot wakes up", async () => {
    let finishInstall = () => {};
    installing = new Promise((resolve) => {
      finishInstall = resolve;
    });
    robot.touchAntenna();
    await settle();
    expect([installs, robot.calls]).toEqual([["hello"], []]);
    finishInstall();
    await settle();
    expect([robot.calls, started]).toEqual([["wakeUp"], ["hello"]]);
  });

  test("the robot wakes up when the app cannot be installed, and the install is tried again", async () => {
    installing = Promise.reject(new WorkbenchError("hub-unreachable", "the hub is away"));
    robot.touchAntenna();
    await settle();
    expect([robot.calls, started]).toEqual([["wakeUp"], []]);
    expect(problems).toEqual([
      "The startup app cannot be installed. the hub is away The daemon tries again after the robot has woken up.",
    ]);
    installing = Promise.resolve();
    clock.advance(1000);
    await settle();
    expect(started).toEqual(["hello"]);
  });

  test("an install that fails again and again is reported once", async () => {
    installing = Promise.reject(new WorkbenchError("hub-unreachable", "the hub is away"));
    await startup.prepare();
    wake();
    for (const pause of [0, 1000, 5000, 20_000, 1_000_000]) {
      clock.advance(pause);
      await settle();
    }
    expect([installs.length, problems.length, started]).toEqual([5, 1, []]);
    installing = Promise.reject(new WorkbenchError("disk-full", "the disk is full"));
    robot.becomes({ awake: false });
    wake();
    await settle();
    expect(problems).toHaveLength(2);
  });

  test("an app that does not exist is not tried again before the next wake-up", async () => {
    installing = Promise.reject(new WorkbenchError("app-not-found", "There is no such app."));
    await startup.prepare();
    wake();
    await settle();
    clock.advance(1_000_000);
    await settle();
    expect([installs.length, started]).toEqual([2, []]);
    expect(problems).toEqual([
      "The startup app cannot be installed. There is no such app. Start without it, or choose another with --startup-app or PUT /api/apps/startup-app.",
    ]);
  });

  test("the robot does not wake up when the daemon ends during the install", async () => {
    let finishInstall = () => {};
    installing = new Promise((resolve) => {
      finishInstall = resolve;
    });
    robot.touchAntenna();
    startup.close();
    finishInstall();
    await settle();
    expect(robot.calls).toEqual([]);
  });

  test("a wake-up that fails is reported, and the next touch tries again", async () => {
    robot.wakeUp = () => Promise.reject(new WorkbenchError("robot-fault", "servo 3 is hot"));
    robot.touchAntenna();
    robot.touchAntenna();
    await settle();
    robot.touchAntenna();
    await settle();
    expect(problems).toEqual(Array(2).fill("The robot did not wake up at the touch: servo 3 is hot"));
  });
});

describe("a startup app that fails", () => {
  const fail = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await settle();
    changes.emit(status("error", "The app exited with code 1."));
  };

  test("is started three times more, with longer and longer pauses, and again after the next wake-up", async () => {
    wake();
    await fail(0);
    expect(problems).toEqual([
      "The startup app hello failed. The daemon starts it again in 1 s.\nThe app exited with code 1.",
    ]);
    await fail(1000);
    await fail(5000);
    await fail(20_000);
    await fail(1_000_000);
    expect(started).toHaveLength(4);
    expect(problems.at(-1)).toContain("The next wake-up starts it again.");
    robot.becomes({ awake: false });
    wake();
    await fail(0);
    await fail(1000);
    expect(started).toHaveLength(6);
  });

  test("is started again when its start failed", async () => {
    startError = new WorkbenchError("app-not-found", 'No app named "hello" is installed.');
    wake();
    await settle();
    startError = null;
    clock.advance(1000);
    await settle();
    expect(started).toHaveLength(2);
    expect(problems).toHaveLength(1);
  });

  test("is not started again after a decision of a user", async () => {
    wake();
    await fail(0);
    userDecisions.emit("stop");
    clock.advance(1_000_000);
    await settle();
    expect(started).toHaveLength(1);
  });

  test("is not started again when a user started it", async () => {
    changes.emit(status("error", "crashed"));
    clock.advance(1_000_000);
    await settle();
    expect([started, problems]).toEqual([[], []]);
  });

  test("is not retried when another app took the slot first", async () => {
    startError = new WorkbenchError("app-already-running", "An app is already running");
    wake();
    clock.advance(1_000_000);
    await settle();
    expect([started.length, problems]).toEqual([1, []]);
  });
});

describe("after a decision of a user", () => {
  const loseRobot = () => robot.becomes({ phase: "error" });
  const findRobot = () => robot.becomes({ phase: "running" });

  test.each(["start", "stop"] as const)(
    "a %s, the app does not start when the robot is connected again",
    async (what) => {
      wake();
      await settle();
      userDecisions.emit(what);
      changes.emit(status(what === "stop" ? "done" : "error"));
      loseRobot();
      findRobot();
      await settle();
      expect(started).toHaveLength(1);
    },
  );

  test("the app starts after the next wake-up, and says so", async () => {
    wake();
    await settle();
    userDecisions.emit("stop");
    robot.becomes({ awake: false });
    wake();
    await settle();
    expect(started).toHaveLength(2);
    expect(starts).toEqual(Array(2).fill("Starting the startup app hello: the robot is awake."));
  });

  test("the app does not start when the user stopped it during its install", async () => {
    let finishInstall = () => {};
    installing = new Promise((resolve) => {
      finishInstall = resolve;
    });
    wake();
    await settle();
    userDecisions.emit("stop");
    finishInstall();
    await settle();
    expect(started).toEqual([]);
  });

  test("the app is not retried when the user stopped it while it started", async () => {
    startError = new WorkbenchError("app-start-failed", "no such program");
    wake();
    userDecisions.emit("stop");
    await settle();
    clock.advance(1_000_000);
    await settle();
    expect(started.length).toBeLessThanOrEqual(1);
  });
});

test("without a decision of a user, the app starts again when a lost robot is connected again", async () => {
  wake();
  await settle();
  changes.emit(status("done"));
  robot.becomes({ phase: "error" });
  robot.becomes({ phase: "running" });
  await settle();
  expect(started).toHaveLength(2);
});
