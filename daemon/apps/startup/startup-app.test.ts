import { beforeEach, describe, expect, test } from "vitest";
import type { AppStatus } from "../../../robot/wire/apps.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { RecordingRobot } from "../testing/recording-robot.ts";
import { StartupApp } from "./startup-app.ts";

let robot: RecordingRobot;
let clock: ManualClock;
let started: string[];
let problems: string[];
let busy: boolean;
let fetched: string[];
let fetching: Promise<void>;
let remote: boolean;
let refusal: WorkbenchError | null;
let startup: StartupApp;

beforeEach(() => {
  robot = new RecordingRobot();
  clock = new ManualClock();
  [started, problems, fetched] = [[], [], []];
  fetching = Promise.resolve();
  [busy, remote, refusal] = [false, false, null];
  startup = startupApp("hello");
});

function startupApp(name: string | null): StartupApp {
  return new StartupApp(name, {
    robot,
    clock,
    fetch: async (name) => {
      fetched.push(name);
      await fetching;
    },
    slot: {
      get busy() {
        return busy;
      },
      async start(app) {
        started.push(app);
        if (refusal !== null) throw refusal;
        return status("starting");
      },
    },
    remoteSessionActive: () => remote,
    onProblem: (message) => problems.push(message),
  });
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
  test("the app starts, when the robot has finished waking and not before", async () => {
    robot.becomes({ awake: true, move: { id: "1", kind: "wake_up" } });
    await settle();
    expect(started).toEqual([]);
    robot.becomes({ move: null });
    robot.becomes({ timestamp: 1 });
    await settle();
    expect(started).toEqual(["hello"]);
  });

  test("it starts where the robot was awake from the beginning", async () => {
    wake();
    startup.close();
    started = [];
    startup = startupApp("hello");
    await settle();
    expect(started).toEqual(["hello"]);
  });

  test.each([
    ["no app is chosen", () => (startup.name = null)],
    ["another app holds the slot", () => (busy = true)],
    ["somebody else moves the robot", () => (remote = true)],
  ])("nothing starts when %s", async (_, make) => {
    make();
    wake();
    await settle();
    expect(started).toEqual([]);
  });

  test("each further wake-up starts it again", async () => {
    wake();
    await settle();
    robot.becomes({ awake: false });
    wake();
    await settle();
    expect(started).toEqual(["hello", "hello"]);
  });
});

describe("at a touch of an antenna", () => {
  test("the sleeping robot wakes and the app starts", async () => {
    robot.touchAntenna();
    await settle();
    expect(robot.calls).toEqual(["wakeUp"]);
    expect(started).toEqual(["hello"]);
  });

  test.each([
    ["it is awake", () => robot.becomes({ awake: true })],
    ["it is not ready", () => robot.becomes({ phase: "error" })],
    ["no app is chosen", () => (startup.name = null)],
    ["an app holds the slot", () => (busy = true)],
    ["somebody else moves the robot", () => (remote = true)],
  ])("nothing happens when %s", async (_, make) => {
    make();
    robot.touchAntenna();
    await settle();
    expect(robot.calls).toEqual([]);
  });

  test("the app is fetched before the robot wakes", async () => {
    let there = () => {};
    fetching = new Promise((resolve) => {
      there = resolve;
    });
    robot.touchAntenna();
    await settle();
    expect([fetched, robot.calls]).toEqual([["hello"], []]);
    there();
    await settle();
    expect([robot.calls, started]).toEqual([["wakeUp"], ["hello"]]);
  });

  test("the robot wakes without an app that cannot be fetched, and the app is tried again", async () => {
    fetching = Promise.reject(new WorkbenchError("hub-unreachable", "the hub is away"));
    robot.touchAntenna();
    await settle();
    expect([robot.calls, started]).toEqual([["wakeUp"], []]);
    expect(problems).toEqual([
      "The startup app cannot be had. the hub is away It is tried again after the robot has woken up.",
    ]);
    fetching = Promise.resolve();
    clock.pass(1000);
    await settle();
    expect(started).toEqual(["hello"]);
  });

  test("what cannot be had is told once, however often it is tried", async () => {
    fetching = Promise.reject(new WorkbenchError("hub-unreachable", "the hub is away"));
    await startup.prepare();
    wake();
    for (const pause of [0, 1000, 5000, 20_000, 1_000_000]) {
      clock.pass(pause);
      await settle();
    }
    expect([fetched.length, problems.length, started]).toEqual([5, 1, []]);
    fetching = Promise.reject(new WorkbenchError("disk-full", "the disk is full"));
    robot.becomes({ awake: false });
    wake();
    await settle();
    expect(problems).toHaveLength(2);
  });

  test("an app that nobody knows is not tried again before the next wake-up", async () => {
    fetching = Promise.reject(new WorkbenchError("app-not-found", "nobody has it"));
    await startup.prepare();
    wake();
    await settle();
    clock.pass(1_000_000);
    await settle();
    expect([fetched.length, started]).toEqual([2, []]);
    expect(problems).toEqual([
      "The startup app cannot be had. nobody has it Start without it, or choose another with --startup-app or PUT /api/apps/startup-app.",
    ]);
  });

  test("nothing wakes when the daemon ends while the app is fetched", async () => {
    let there = () => {};
    fetching = new Promise((resolve) => {
      there = resolve;
    });
    robot.touchAntenna();
    startup.close();
    there();
    await settle();
    expect(robot.calls).toEqual([]);
  });

  test("a robot that cannot wake is told of, and the next touch counts", async () => {
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
    clock.pass(milliseconds);
    await settle();
    startup.onSlot(status("error", "The app exited with code 1."));
  };

  test("is tried three times more, with longer and longer pauses, until the next wake-up", async () => {
    wake();
    await fail(0);
    expect(problems).toEqual(["The startup app hello failed. Next try in 1 s.\nThe app exited with code 1."]);
    await fail(1000);
    await fail(5000);
    await fail(20_000);
    await fail(1_000_000);
    expect(started).toHaveLength(4);
    expect(problems.at(-1)).toContain("at the next wake-up");
    robot.becomes({ awake: false });
    wake();
    await fail(0);
    await fail(1000);
    expect(started).toHaveLength(6);
  });

  test("is tried again when it could not even be started", async () => {
    refusal = new WorkbenchError("app-not-found", 'No app named "hello" is installed.');
    wake();
    await settle();
    refusal = null;
    clock.pass(1000);
    await settle();
    expect(started).toHaveLength(2);
    expect(problems).toHaveLength(1);
  });

  test("is left alone once somebody decided what runs", async () => {
    wake();
    await fail(0);
    startup.standDown();
    clock.pass(1_000_000);
    await settle();
    expect(started).toHaveLength(1);
  });

  test("is not this one's business when somebody else started it", async () => {
    startup.onSlot(status("error", "crashed"));
    clock.pass(1_000_000);
    await settle();
    expect([started, problems]).toEqual([[], []]);
  });

  test("is no failure when another app was quicker", async () => {
    refusal = new WorkbenchError("app-already-running", "An app is already running");
    wake();
    clock.pass(1_000_000);
    await settle();
    expect([started.length, problems]).toEqual([1, []]);
  });
});
