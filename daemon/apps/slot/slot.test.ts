import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JumpingClock } from "../../../common/testing/jumping-clock.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import { ScriptedWorld } from "../testing/scripted-world.ts";
import type { AppEnd } from "./app-process.ts";
import { Slot, type SlotParts } from "./slot.ts";

type Step =
  | { do: "start"; name: string }
  | { do: "stop" | "restart" | "close" | "attach" }
  | { do: "end"; code: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("start" as const), name: fc.constantFrom("one", "two") }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("start" as const), name: fc.constantFrom("unknown", "broken") }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("stop" as const, "attach" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("restart" as const, "close" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), code: fc.constantFrom(0, 1) }) },
);

const ALLOWED: Record<string, readonly ErrorCode[]> = {
  start: ["app-already-running", "app-not-found", "app-start-failed", "shutting-down"],
  stop: ["no-app-running"],
  restart: ["no-app-running", "app-already-running", "app-start-failed", "shutting-down"],
  close: [],
};

/** Runs steps against one slot in an order that the scheduler picks. @throws Error that names what went wrong */
async function walk(makeSlot: (parts: SlotParts) => Slot, steps: readonly Step[], s: fc.Scheduler): Promise<void> {
  const world = new ScriptedWorld(s);
  const slot = makeSlot(world.parts);
  slot.changes.on(({ state }) => world.onState(state));
  let unsettled = 0;
  let accepted = 0;
  let closed = false;

  const call = async (kind: string, what: () => Promise<unknown>, after: (result: AppStatus) => void) => {
    unsettled += 1;
    try {
      after((await what()) as AppStatus);
    } catch (error) {
      const { code } = error as WorkbenchError;
      if (!ALLOWED[kind]?.includes(code)) world.broken.push(`${kind}: ${error}`);
      if (code === "app-start-failed") accepted += 1;
      if (kind === "start" && code === "app-already-running")
        expect((error as Error).message).toBe("An app is already running");
    } finally {
      unsettled -= 1;
    }
  };
  const perform = (next: Step): void => {
    if (next.do === "end") world.endOne(next.code);
    else if (next.do === "attach") slot.attach();
    else if (next.do === "start") {
      void call(
        "start",
        () => slot.start(next.name),
        () => {
          accepted += 1;
          if (closed) world.broken.push("a start was accepted after close");
        },
      );
    } else if (next.do === "restart")
      void call(
        "restart",
        () => slot.restart(),
        () => {
          accepted += 1;
        },
      );
    else if (next.do === "stop") {
      const held = [...world.alive.keys()];
      const busy = slot.busy;
      void call(
        "stop",
        () => slot.stop(),
        ({ state }) => {
          if (state !== "done" && state !== "error") world.broken.push(`${state} after a stop`);
          if (held.some((process) => world.alive.has(process))) world.broken.push("an app is alive after a stop");
        },
      );
      if (busy && slot.busy && slot.status()?.state !== "stopping") world.broken.push("a stop was ignored");
    } else {
      void call(
        "close",
        () => slot.close(),
        () => {
          closed = true;
          if (world.alive.size > 0) world.broken.push("an app is alive after close");
        },
      );
    }
  };
  for (const next of steps) void s.schedule(Promise.resolve(), JSON.stringify(next)).then(() => perform(next));
  await s.waitIdle();

  world.check();
  if (unsettled > 0) world.broken.push(`${unsettled} requests were never answered`);
  if (accepted !== world.states.filter((state) => state === "starting").length)
    world.broken.push("a start was not carried out");
  if (slot.busy !== world.alive.size > 0) world.broken.push(`slot busy: ${slot.busy}, apps alive: ${world.alive.size}`);
  if (world.broken.length > 0) throw new Error(`broken: ${world.broken.join("; ")}`);
}

const anyWalk = (makeSlot: (parts: SlotParts) => Slot) =>
  fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), fc.scheduler(), (steps, s) =>
    walk(makeSlot, steps, s),
  );

test("in any order of events, the slot holds one app, answers every request and lets the robot return to default", async () => {
  await fc.assert(
    anyWalk((parts) => new Slot(parts)),
    { numRuns: 3000 },
  );
});

describe("the random walk finds a slot that", () => {
  const isCaught = async (makeSlot: (parts: SlotParts) => Slot) =>
    expect(fc.assert(anyWalk(makeSlot), { numRuns: 3000, includeErrorInReport: true })).rejects.toThrow(/broken: /);

  test("starts a second app", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          #starts = 0;
          override get busy() {
            return this.#starts === 0 && super.busy;
          }
          override start(name: string) {
            this.#starts += 1;
            return super.start(name).finally(() => {
              this.#starts -= 1;
            });
          }
        })(parts),
    ));

  test("ignores a stop while the app starts", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          override async stop() {
            const status = this.status();
            return status?.state === "starting" ? status : super.stop();
          }
        })(parts),
    ));

  test("does not wait for the robot to return", () =>
    isCaught((parts) => {
      const returnToDefault = async () => {
        void parts.robot.returnToDefault();
        return "finished" as const;
      };
      return new Slot({ ...parts, robot: { ...parts.robot, returnToDefault } });
    }));

  test("closes while an app lives", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          override async close() {}
        })(parts),
    ));
});

describe("the slot is free although the robot cannot return to its default pose", () => {
  const afterOneApp = async (robot: Partial<SlotParts["robot"]>, clock: SlotParts["clock"]) => {
    const reasons: string[] = [];
    const end = { code: 0, signal: null, forced: false, lastErrors: [] };
    const info = { source_kind: "installed", description: "", url: null, extra: {} } as const;
    const slot = new Slot({
      find: async (name) => ({ info: { ...info, name }, module: "", file: null }),
      lock: () => () => {},
      environmentReady: async () => () => {},
      launch: async () => ({ pid: 1, exited: Promise.resolve(end), stop: () => {}, connected: () => {} }),
      robot: {
        setAppProcessGroup: async () => {},
        cancelMove: async () => false,
        returnToDefault: async () => "finished",
        ...robot,
      },
      clock,
      onReturnFailed: (reason) => reasons.push(reason),
    });
    await slot.start("one");
    await slot.start("two");
    await slot.close();
    return reasons;
  };

  test("because it reports a fault", async () => {
    const returnToDefault = () => Promise.reject(new Error("servo 3 is hot"));
    const neverFires = { now: () => 0, unixTime: () => 0, after: () => () => {} };
    expect(await afterOneApp({ returnToDefault }, neverFires)).toEqual(["servo 3 is hot", "servo 3 is hot"]);
  });

  test("because it never answers", async () => {
    const cancelMove = () => new Promise<boolean>(() => {});
    const firesDeadlinesAtOnce = {
      now: () => 0,
      unixTime: () => 0,
      after: (milliseconds: number, then: () => void) => {
        if (milliseconds >= 10_000) queueMicrotask(then);
        return () => {};
      },
    };
    expect((await afterOneApp({ cancelMove }, firesDeadlinesAtOnce))[0]).toBe(
      "The robot did not return to its default pose within 10 s.",
    );
  });
});

describe("a restart in place", () => {
  /** A slot whose app ends when it is stopped, and what the robot was asked to do. */
  function stoppableApp(launches: number) {
    const did: string[] = [];
    const info = { source_kind: "installed", description: "", url: null, extra: {} } as const;
    const launch = async () => {
      if (launches === 0) throw new WorkbenchError("app-start-failed", "no python");
      launches -= 1;
      did.push("launch");
      let stop = () => {};
      const exited = new Promise<AppEnd>((resolve) => {
        stop = () => resolve({ code: 0, signal: null, forced: false, lastErrors: [] });
      });
      return { pid: 1, exited, stop: () => stop(), connected: () => {} };
    };
    const slot = new Slot({
      find: async (name) => ({ info: { ...info, name }, module: "", file: null }),
      lock: () => () => {},
      environmentReady: async () => () => {},
      launch,
      robot: {
        setAppProcessGroup: async () => {},
        cancelMove: async () => did.push("cancel") > 0,
        returnToDefault: async () => {
          did.push("return");
          return "finished";
        },
      },
      clock: new JumpingClock(),
      onReturnFailed: () => {},
    });
    return { slot, did };
  }

  test("cancels the app's moves and leaves the robot where it is; a stop returns it", async () => {
    const { slot, did } = stoppableApp(3);
    await slot.start("one");
    await slot.restart({ inPlace: true });
    expect(did).toEqual(["launch", "cancel", "launch"]);
    await slot.restart();
    await slot.stop();
    expect(did.slice(3)).toEqual(["cancel", "return", "launch", "cancel", "return"]);
  });

  test("returns the robot when the app does not start again", async () => {
    const { slot, did } = stoppableApp(1);
    await slot.start("one");
    await expect(slot.restart({ inPlace: true })).rejects.toMatchObject({ code: "app-start-failed" });
    await slot.close();
    expect(did).toEqual(["launch", "cancel", "cancel", "return"]);
  });
});

test("only an accepted start counts as a decision of a user", async () => {
  const info = { source_kind: "installed", description: "", url: null, extra: {} } as const;
  const slot = new Slot({
    find: async (name) => {
      if (name === "unknown") throw new WorkbenchError("app-not-found", "no such app");
      return { info: { ...info, name }, module: "", file: null };
    },
    lock: () => () => {},
    environmentReady: async () => () => {},
    launch: async () => ({ pid: 1, exited: new Promise(() => {}), stop: () => {}, connected: () => {} }),
    robot: {
      setAppProcessGroup: async () => {},
      cancelMove: async () => false,
      returnToDefault: async () => "finished",
    },
    clock: new JumpingClock(),
    onReturnFailed: () => {},
  });
  const decisions: string[] = [];
  slot.userDecisions.on((decision) => decisions.push(decision));
  await expect(slot.start("unknown")).rejects.toMatchObject({ code: "app-not-found" });
  await slot.start("one", "startup-app");
  await expect(slot.start("two")).rejects.toMatchObject({ code: "app-already-running" });
  expect(decisions).toEqual([]);
  void slot.stop();
  expect(decisions).toEqual(["stop"]);
});
