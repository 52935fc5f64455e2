import { kill } from "node:process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ProcessTable } from "../../common/machine/process-table.ts";
import { jumpingUnixTime } from "../../common/testing/jumping-clock.ts";
import { type Clock, systemClock } from "../../common/time/clock.ts";
import type { AppEvent } from "../../robot/wire/apps/app-events.ts";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import { type AppHost, createAppHost } from "./app-host.ts";
import { RecordingRobot } from "./testing/recording-robot.ts";
import { createTestVenv } from "./testing/test-venv.ts";

/** Apps that run until they are stopped, and the state after the stop. */
const LIVING: Record<string, AppStatus["state"]> = {
  obedient: "done",
  output_flood: "done",
  slow_import: "done",
  spins: "done",
  ignores_sigint: "error",
};
/** Apps that end by themselves, and the state after that. */
const ENDING: Record<string, AppStatus["state"]> = {
  exits_by_itself: "done",
  children_left_behind: "done",
  grandchild_holds_stdout: "done",
  crash_in_run: "error",
  crash_at_import: "error",
};

/** Milliseconds an app has to end after SIGINT: any machine is fast enough for that. */
const GRACE_MS = 60_000;
/** The same for the app that does not end on SIGINT. */
const SHORT_GRACE_MS = 150;

/** The name of the app that should hold the slot. */
interface Model {
  holds: string | null;
}

/** The real host, and the process groups of all apps that it started. */
class Real {
  readonly host: AppHost;
  readonly #robot: RecordingRobot;
  readonly #groups: number[] = [];

  constructor(host: AppHost, robot: RecordingRobot) {
    this.host = host;
    this.#robot = robot;
    host.events.on((event) => {
      const started = event.kind === "log" && event.line.from === "daemon" && /^started.* (\d+)$/.exec(event.line.text);
      if (started) this.#groups.push(Number(started[1]));
    });
  }

  /** The process of the app that was started last. */
  get mainPid(): number {
    return this.#groups.at(-1) ?? Number.NaN;
  }

  /** Does the work and settles with the first event since then that fits. */
  async until(fits: (event: AppEvent) => boolean, work: () => Promise<unknown>): Promise<void> {
    const seen = new Promise<void>((resolve) => {
      const unsubscribe = this.host.events.on((event) => {
        if (!fits(event)) return;
        unsubscribe();
        resolve();
      });
    });
    await work();
    await seen;
  }

  /** Checks the rules that hold between two commands. */
  async check({ holds }: Model): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const status = this.host.slot.status();
    const held = status === null || isFinal(status) ? null : status.info.name;
    expect(held).toBe(holds);
    const table = await ProcessTable.read();
    const alive = this.#groups.filter((group) => table.groupMembers(group).length > 0);
    expect(alive).toEqual(holds === null ? [] : [this.mainPid]);
    // A restart in place only cancels what the app left running.
    const returns = this.#robot.calls.filter((call) => call === "endAppSession" || call === "cancelMove");
    expect(returns).toHaveLength(this.#groups.length - alive.length);
  }
}

const isFinal = ({ state }: AppStatus) => state === "done" || state === "error";
const prints = (event: AppEvent) => event.kind === "log" && event.line.from === "stdout";
const frees = (event: AppEvent) => event.kind === "slot" && isFinal(event.status);
const refused = (code: string) =>
  expect.objectContaining({ status: "rejected", reason: expect.objectContaining({ code }) });

type Act = (model: Model, real: Real) => Promise<void>;

class Command implements fc.AsyncCommand<Model, Real> {
  readonly #name: string;
  readonly #act: Act;
  constructor(name: string, act: Act) {
    this.#name = name;
    this.#act = act;
  }
  check = () => true;
  async run(model: Model, real: Real) {
    await this.#act(model, real);
    await real.check(model);
  }
  toString = () => this.#name;
}

/** Starts an app so many times at the same time: exactly one start wins when the slot is free. */
const start = (name: string, times: number) =>
  new Command(`start ${name} x${times}`, async (model, real) => {
    const starts = () => Promise.allSettled(Array.from({ length: times }, () => real.host.slot.start(name)));
    let results: PromiseSettledResult<AppStatus>[] = [];
    if (model.holds === null) {
      await real.until(name in LIVING ? prints : frees, async () => {
        results = await starts();
      });
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      if (name in LIVING) model.holds = name;
      else expect(real.host.slot.status()).toMatchObject({ info: { name }, state: ENDING[name] });
    } else {
      results = await starts();
      expect(results).toEqual(results.map(() => refused("app-already-running")));
    }
  });

/** So many stops at the same time: all of them end the same app. */
const stop = (times: number) =>
  new Command(`stop x${times}`, async (model, real) => {
    const results = await Promise.allSettled(Array.from({ length: times }, () => real.host.slot.stop()));
    if (model.holds === null) expect(results).toEqual(results.map(() => refused("no-app-running")));
    const state = LIVING[model.holds ?? ""];
    const stopped = expect.objectContaining({ status: "fulfilled", value: expect.objectContaining({ state }) });
    if (model.holds !== null) expect(results).toEqual(results.map(() => stopped));
    model.holds = null;
  });

const killNine = new Command("kill -9", async (model, real) => {
  if (model.holds === null) return;
  await real.until(frees, async () => kill(real.mainPid, "SIGKILL"));
  expect(real.host.slot.status()).toMatchObject({ state: "error", error: expect.stringContaining("SIGKILL") });
  model.holds = null;
});

const restart = (inPlace: boolean) =>
  new Command(`restart ${inPlace ? "in place" : ""}`, async (model, real) => {
    if (model.holds !== null) await real.until(prints, () => real.host.slot.restart({ inPlace }));
    else await expect(real.host.slot.restart({ inPlace })).rejects.toMatchObject({ code: "no-app-running" });
  });

/** A stop during a restart cancels it; when the stop is answered, nothing of the app runs, now or later. */
const restartAndStop = (inPlace: boolean, when: "at once" | "while it stops") =>
  new Command(`restart ${inPlace ? "in place" : ""} and stop ${when}`, async (model, real) => {
    if (model.holds === null) return;
    const { slot } = real.host;
    const stopping = (event: AppEvent) => event.kind === "slot" && event.status.state === "stopping";
    const restarted = slot.restart({ inPlace });
    const outcome = expect(restarted).rejects.toMatchObject({ code: "start-cancelled" });
    if (when === "while it stops") await real.until(stopping, async () => undefined);
    expect(await slot.stop()).toMatchObject({ state: LIVING[model.holds] });
    await outcome;
    model.holds = null;
  });

/** While an app is restarted, nobody else gets the slot. */
const restartAndStart = (name: string) =>
  new Command(`restart and start ${name}`, async (model, real) => {
    if (model.holds === null) return;
    const { slot } = real.host;
    let others: PromiseSettledResult<AppStatus>[] = [];
    await real.until(prints, async () => {
      const restarted = slot.restart();
      others = await Promise.allSettled([slot.start(name), slot.start(name)]);
      await restarted;
    });
    expect(others).toEqual([refused("app-already-running"), refused("app-already-running")]);
  });

/** A start that stops the app that runs first. */
const replace = (name: string) =>
  new Command(`replace by ${name}`, async (model, real) => {
    const start = () => real.host.slot.start(name, { replace: true });
    // The app that is replaced may print, too.
    await real.until((event) => prints(event) && event.kind === "log" && event.line.app === name, start);
    model.holds = name;
  });

const startUnknown = new Command("start unknown", async (_, real) => {
  await expect(real.host.slot.start("unknown")).rejects.toMatchObject({ code: "app-not-found" });
});

const commands = fc.commands(
  [
    fc
      .tuple(fc.constantFrom(...Object.keys(LIVING)), fc.integer({ min: 1, max: 3 }))
      .map(([name, n]) => start(name, n)),
    fc
      .tuple(fc.constantFrom(...Object.keys(ENDING)), fc.integer({ min: 1, max: 2 }))
      .map(([name, n]) => start(name, n)),
    fc.integer({ min: 1, max: 3 }).map(stop),
    fc.constant(killNine),
    fc.boolean().map(restart),
    fc
      .tuple(fc.boolean(), fc.constantFrom("at once" as const, "while it stops" as const))
      .map((how) => restartAndStop(...how)),
    fc.constantFrom(...Object.keys(LIVING)).map(restartAndStart),
    fc.constantFrom(...Object.keys(LIVING)).map(replace),
    fc.constant(startUnknown),
  ],
  { maxCommands: 12, size: "max" },
);

test("the slot is in the expected state after any sequence of starts, stops and exits of well-behaved and faulty apps", async () => {
  const home = await createTestVenv();
  await Promise.all([...Object.keys(LIVING), ...Object.keys(ENDING)].map((app) => home.add(app)));
  const walk = fc.asyncProperty(commands, async (walked) => {
    const robot = new RecordingRobot();
    const ignoresStop = (): boolean => host.slot.status()?.info.name === "ignores_sigint";
    const after: Clock["after"] = (ms, then) =>
      systemClock.after(ms === GRACE_MS && ignoresStop() ? SHORT_GRACE_MS : ms, then);
    const host: AppHost = await createAppHost({
      dataDir: home.root,
      venv: home.venv,
      uv: null,
      robot: robot.asRobot(),
      clock: { ...systemClock, after, unixTime: jumpingUnixTime() },
      env: { PATH: process.env.PATH },
      graceMs: GRACE_MS,
    });
    try {
      await fc.asyncModelRun(() => ({ model: { holds: null }, real: new Real(host, robot) }), walked);
    } finally {
      await host.close();
    }
  });
  try {
    await fc.assert(walk, { numRuns: 6 });
  } finally {
    await home.remove();
  }
});
