import { describe, expect, test } from "vitest";
import { JumpingClock } from "../../../common/testing/jumping-clock.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { AppEnd, AppProcess } from "./run.ts";
import { Slot, type SlotParts } from "./slot.ts";

const info = { source_kind: "installed", description: "", url: null, extra: {} } as const;

/** A slot whose apps end when they are stopped, or when the test ends the last one; and what the robot was asked to do. */
function stoppableApps({
  launches = 10,
  robot = {},
  appProcess = {},
  ...more
}: {
  launches?: number;
  robot?: Partial<SlotParts["robot"]>;
  appProcess?: { -readonly [Key in keyof AppProcess]?: AppProcess[Key] };
} & Partial<Pick<SlotParts, "whyNeverRan" | "whyNotByItself" | "clock">> = {}) {
  const did: string[] = [];
  const reasons: string[] = [];
  let end = (_: Partial<AppEnd>): void => {};
  const launch: SlotParts["launch"] = async (app) => {
    if (launches === 0) throw new WorkbenchError("app-start-failed", "no python");
    launches -= 1;
    did.push(`launch ${app.info.name}${app.copy ? " from a copy" : ""}`);
    const exited = new Promise<AppEnd>((resolve) => {
      end = (how) => resolve({ code: 0, signal: null, forced: false, lastErrors: [], ...how });
    });
    const { stop = () => end({}), ownsConnection = async () => true } = appProcess;
    return {
      ...{ pid: 1, exited, stop, ownsConnection, connected: () => {} },
      get mainHasExited() {
        return appProcess.mainHasExited ?? false;
      },
      get cannotLook() {
        return appProcess.cannotLook ?? null;
      },
    };
  };
  const slot = new Slot({
    find: async (name) => {
      if (name === "unknown") throw new WorkbenchError("app-not-found", "no such app");
      return { info: { ...info, name }, module: "", file: null };
    },
    lock: () => () => {},
    environmentReady: async () => () => {},
    launch,
    robot: {
      beginAppSession: async () => {},
      cancelMove: async () => did.push("cancel") > 0,
      endAppSession: async () => {
        did.push("return");
        return "finished";
      },
      ...robot,
    },
    clock: new JumpingClock(),
    onReturnFailed: (reason) => reasons.push(reason),
    ...more,
  });
  return { slot, did, reasons, end: (how: Partial<AppEnd>) => end(how) };
}

test("the slot is free although the robot cannot return to its default pose", async () => {
  const endAppSession = () => Promise.reject(new Error("servo 3 is hot"));
  const { slot, reasons } = stoppableApps({ robot: { endAppSession } });
  await slot.start("one");
  await slot.stop();
  await slot.start("two");
  await slot.close();
  expect(reasons).toEqual(["servo 3 is hot", "servo 3 is hot"]);
});

test("only the process of the app counts as the app that has connected", async () => {
  const { slot } = stoppableApps();
  expect(slot.attach(1)).toBe(false);
  await slot.start("one");
  expect(slot.attach(2)).toBe(false);
  expect(slot.status()).toMatchObject({ state: "starting" });
  expect(slot.attach(1)).toBe(true);
  expect(slot.status()).toMatchObject({ state: "running" });
  await slot.stop();
  expect(slot.attach(1)).toBe(false);
});

test("a client that does not say its process is the app only when a process of the app has opened its connection", async () => {
  const ownsConnection = async (port: number) => port === 4000;
  const { slot } = stoppableApps({ appProcess: { ownsConnection } });
  expect(await slot.attachConnection(4000)).toBe(false);
  await slot.start("one");
  expect(await slot.attachConnection(4001)).toBe(false);
  expect(slot.status()).toMatchObject({ state: "starting" });
  expect(await slot.attachConnection(4000)).toBe(true);
  expect(slot.status()).toMatchObject({ state: "running" });
});

test("an app whose main process has exited is never shown as running", async () => {
  const appProcess = { mainHasExited: true };
  const clock = new ManualClock();
  const { slot, end } = stoppableApps({ appProcess, clock });
  const states: string[] = [];
  slot.changes.on(({ state }) => states.push(state));
  await slot.start("one");
  slot.attach(1);
  await clock.advanceAsync(10_000);
  expect(slot.status()).toMatchObject({ state: "stopping" });
  end({ code: null, signal: "SIGKILL" });
  await clock.advanceAsync(0);
  expect(states).toEqual(["starting", "error"]);
});

test("while it cannot be seen whether an app has ended, the slot stays taken, and start and stop say why", async () => {
  const appProcess: { cannotLook?: Error | null; stop?: () => void } = { stop: () => {} };
  const clock = new ManualClock();
  const { slot, end } = stoppableApps({ appProcess, clock });
  await slot.start("one");
  const stopped = slot.stop();
  const refused = expect(stopped).rejects.toMatchObject({
    code: "system-refused",
    message: expect.stringMatching(/^It cannot be seen whether one has ended\. .*ulimit -n 4096/),
  });
  appProcess.cannotLook = Object.assign(new Error("EMFILE: too many open files"), {
    code: "EMFILE",
    syscall: "scandir",
  });
  await clock.advanceAsync(250);
  await refused;
  await expect(slot.start("two")).rejects.toMatchObject({ code: "system-refused" });
  expect(slot.busy).toBe(true);
  appProcess.cannotLook = null;
  await expect(slot.start("two")).rejects.toMatchObject({ code: "app-already-running" });
  const again = slot.stop();
  end({});
  expect(await again).toMatchObject({ state: "done" });
});

test("the daemon itself starts no app that it may not start; a user may", async () => {
  const { slot } = stoppableApps({ whyNotByItself: () => "the robot is not awake" });
  const message = "one is not started: the robot is not awake.";
  await expect(slot.start("one", { requester: "daemon" })).rejects.toMatchObject({ code: "robot-not-ready", message });
  expect(await slot.start("one")).toMatchObject({ state: "starting" });
});

describe("an app that ends by itself without an error", () => {
  const whyNeverRan = async () => "app/main.py has no class App.";
  const endOf = async (
    how: Partial<AppEnd>,
    { connects = false, why = whyNeverRan as () => Promise<string | null> } = {},
  ) => {
    const { slot, end } = stoppableApps({ whyNeverRan: why });
    await slot.start("one");
    if (connects) slot.attach(1);
    const ended = new Promise<void>((resolve) => {
      slot.changes.on(({ state }) => (state === "done" || state === "error") && resolve());
    });
    end(how);
    await ended;
    return slot.status();
  };

  test("is an error with the finding of check when it never connected", async () => {
    const error = "The app ended without connecting to the robot: app/main.py has no class App.";
    expect(await endOf({})).toMatchObject({ state: "error", error });
  });

  test("is done when it connected, or when check finds nothing or fails", async () => {
    const done = { state: "done", error: null };
    expect(await endOf({}, { connects: true })).toMatchObject(done);
    expect(await endOf({}, { why: async () => null })).toMatchObject(done);
    expect(await endOf({}, { why: () => Promise.reject(new Error("EACCES")) })).toMatchObject(done);
  });

  test("has its own error first", async () => {
    expect(await endOf({ code: 1 })).toMatchObject({ error: "The app exited with code 1." });
  });
});

describe("a restart in place", () => {
  test("cancels the app's moves and leaves the robot where it is; a stop returns it", async () => {
    const { slot, did } = stoppableApps();
    await slot.start("one");
    await slot.restart({ inPlace: true });
    expect(did).toEqual(["launch one", "cancel", "launch one"]);
    await slot.restart();
    await slot.stop();
    expect(did.slice(3)).toEqual(["return", "launch one", "return"]);
  });

  test("returns the robot when the app does not start again", async () => {
    const { slot, did } = stoppableApps({ launches: 1 });
    await slot.start("one");
    await expect(slot.restart({ inPlace: true })).rejects.toMatchObject({ code: "app-start-failed" });
    await slot.close();
    expect(did).toEqual(["launch one", "cancel", "return"]);
  });

  test("is cancelled by a stop, which is answered when the robot has returned", async () => {
    const { slot, did } = stoppableApps();
    await slot.start("one");
    const restarted = slot.restart({ inPlace: true });
    const stopped = slot.stop();
    await expect(restarted).rejects.toMatchObject({ code: "start-cancelled" });
    expect(await stopped).toMatchObject({ state: "done" });
    expect(did).toEqual(["launch one", "return"]);
  });

  test("after a stop begins where the stop promised that the robot is", async () => {
    const { slot, did } = stoppableApps();
    await slot.start("one");
    const stopped = slot.stop();
    await slot.restart({ inPlace: true });
    await stopped;
    expect(did).toEqual(["launch one", "return", "launch one"]);
  });
});

describe("while an app is restarted", () => {
  test("no other one can be started", async () => {
    const { slot } = stoppableApps();
    await slot.start("one");
    const restarted = slot.restart();
    await expect(slot.start("two")).rejects.toThrow("An app is already running");
    expect(await restarted).toMatchObject({ info: { name: "one" }, state: "starting" });
  });

  test("a second restart joins the first", async () => {
    const { slot, did } = stoppableApps();
    await slot.start("one");
    await Promise.all([slot.restart({ inPlace: true }), slot.restart()]);
    expect(did).toEqual(["launch one", "return", "launch one"]);
  });
});

test("a try does not join a restart under way, which would run the app without its changes", async () => {
  const { slot, did } = stoppableApps();
  await slot.start("one");
  const restarted = slot.restart();
  const copy = { importFolder: "/copy", mainFile: "/copy/one/main.py" };
  const tried = slot.start("one", { replace: true, copy });
  await expect(restarted).rejects.toMatchObject({ code: "start-cancelled" });
  expect(await tried).toMatchObject({ trial: true });
  expect(did).toEqual(["launch one", "return", "launch one from a copy"]);
});

describe("a start that replaces the app that runs", () => {
  test("stops it, and starts the other one when the robot has returned", async () => {
    const { slot, did } = stoppableApps();
    await slot.start("one");
    const replaced = slot.start("two", { replace: true });
    await expect(slot.start("three")).rejects.toThrow("An app is already running");
    expect(await replaced).toMatchObject({ info: { name: "two" }, state: "starting" });
    expect(did).toEqual(["launch one", "return", "launch two"]);
  });

  test("leaves it alone when there is no such app", async () => {
    const { slot, did } = stoppableApps();
    await slot.start("one");
    await expect(slot.start("unknown", { replace: true })).rejects.toMatchObject({ code: "app-not-found" });
    expect(slot.status()).toMatchObject({ info: { name: "one" }, state: "starting" });
    expect(did).toEqual(["launch one"]);
  });

  test("is a start when the slot is free", async () => {
    const { slot, did } = stoppableApps();
    await slot.start("one", { replace: true });
    expect(did).toEqual(["launch one"]);
  });

  test("is cancelled by a stop, and by the start of a third app in its place", async () => {
    const { slot, did } = stoppableApps();
    await slot.start("one");
    const second = slot.start("two", { replace: true });
    const third = slot.start("three", { replace: true });
    await expect(second).rejects.toMatchObject({ code: "start-cancelled" });
    await third;
    const fourth = slot.start("four", { replace: true });
    await slot.stop();
    await expect(fourth).rejects.toMatchObject({ code: "start-cancelled" });
    expect(did).toEqual(["launch one", "return", "launch three", "return"]);
  });
});

test("only an accepted start counts as a decision of a user", async () => {
  const { slot } = stoppableApps();
  const decisions: string[] = [];
  slot.userDecisions.on((decision) => decisions.push(decision));
  await expect(slot.start("unknown")).rejects.toMatchObject({ code: "app-not-found" });
  await slot.start("one", { requester: "daemon" });
  await expect(slot.start("two")).rejects.toMatchObject({ code: "app-already-running" });
  expect(decisions).toEqual([]);
  void slot.stop();
  expect(decisions).toEqual(["stop"]);
});
