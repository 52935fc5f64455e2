import { join } from "node:path";
import { waitFor } from "../../../common/time/wait-for.ts";
import { ALL_TEST_RUNS } from "../../test-runs/all-test-runs.ts";
import { LINKED_ROBOT, type TestRunPlan } from "../../test-runs/test-run-plan.ts";
import { type AppUnderTest, dialectOf } from "../app/app-under-test.ts";
import { HarnessError, type Host } from "../host.ts";
import { portIsFree } from "../ports.ts";
import { Rig, type RigSetup } from "../rig.ts";
import { TestBed } from "../test-bed.ts";
import type { LaneResult, LaneSetup, LaneTask, SharedRig } from "./messages.ts";

const PORT_LIMIT_MS = 5000;
/** Longer than any test run takes even when all its deadlines pass, the long forms included. */
const TEST_RUN_LIMIT_MS = 400_000;
/** The same for one that waits for the end of all others. */
const LASTING_LIMIT_MS = 4_000_000;
/** Milliseconds between two looks for a connection. */
const WATCH_MS = 50;

type OnConnected = (startupSeconds: number) => void;

/** The shared rig that a test run needs; undefined: one of its own. */
const sharedRigOf = ({ setup }: TestRunPlan): SharedRig | undefined =>
  setup === undefined ? "simulated" : setup === LINKED_ROBOT ? "linked" : undefined;

/** Executes test runs one after the other. Those without a set-up of their own share rigs while these stay clean. */
export class Lane {
  readonly #host: Host;
  readonly #shared = new Map<SharedRig, Promise<Rig>>();
  #rigs = 0;
  #othersEnd = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Opens a shared rig before the first test run needs it. A failure is reported by the test run that uses the rig. */
  async prepare(setup: LaneSetup, rig: SharedRig): Promise<void> {
    await this.#sharedRig(setup, rig).catch(() => {});
  }

  /** The others are about to end: a test run that waits for that ends from now on. */
  othersEnd(): void {
    this.#othersEnd = true;
  }

  /**
   * Executes a test run.
   * @param onConnected is called once the app has connected, with the seconds since its start
   * @throws the host's signal's reason
   */
  async execute(task: LaneTask, onConnected: OnConnected): Promise<LaneResult> {
    const plan = ALL_TEST_RUNS.find(({ id }) => id === task.id);
    if (plan === undefined) throw new HarnessError(`there is no test run ${task.id}`);
    const deadline = new AbortController();
    const limitMs = plan.outlasts === true ? LASTING_LIMIT_MS : TEST_RUN_LIMIT_MS;
    const timer = setTimeout(() => deadline.abort(new Error(`not finished within ${limitMs / 1000} s`)), limitMs);
    const host = { ...this.#host, signal: AbortSignal.any([this.#host.signal, deadline.signal]) };
    try {
      return await this.#executeOn(plan, task, host, onConnected);
    } finally {
      clearTimeout(timer);
    }
  }

  async #executeOn(plan: TestRunPlan, task: LaneTask, host: Host, onConnected: OnConnected): Promise<LaneResult> {
    const { id } = task;
    const failed = (error: unknown): LaneResult => {
      this.#host.signal.throwIfAborted();
      return { id, testRun: null, appRuns: [], facts: {}, harnessFailure: (error as Error).message.trim() };
    };
    let rig: Rig;
    let others: Rig[];
    try {
      await plan.prepare?.();
      others = await this.#settleOtherRigs(plan, task);
      rig = await this.#rigFor(plan, task, host);
    } catch (error) {
      return failed(error);
    }
    rig.instrument(plan.instrumented ?? false);
    const otherPids = others.flatMap(({ pids }) => pids);
    const bed = new TestBed(rig, { ...task, title: plan.title, othersEnd: () => this.#othersEnd, host }, otherPids);
    const watch = setInterval(() => {
      const startup = bed.log.runs.find(({ startupSeconds }) => startupSeconds !== null)?.startupSeconds ?? null;
      if (startup === null) return;
      clearInterval(watch);
      onConnected(startup);
    }, WATCH_MS);
    let harnessFailure: string | null = null;
    try {
      await waitForFreePort(task.app, host.signal);
      await plan.execute(bed);
    } catch (error) {
      harnessFailure = failed(error).harnessFailure;
    } finally {
      // What the log noted came first, and may be why the test run failed.
      harnessFailure = bed.log.harnessFailure ?? harnessFailure;
      clearInterval(watch);
      bed.close();
      await this.#giveBack(plan, rig, harnessFailure === null && !host.signal.aborted);
    }
    const { runs } = bed.log;
    const appRuns = runs.map((run) => run.toJSON());
    return { id, testRun: bed.toTestRun(), appRuns, facts: bed.facts, harnessFailure };
  }

  /** The shared rigs besides that of the test run, once they are open: before, they have processes that nobody knows. */
  async #settleOtherRigs(plan: TestRunPlan, { app }: LaneTask): Promise<Rig[]> {
    const others: Rig[] = [];
    for (const [name, opening] of this.#shared) {
      const rig = await opening.catch(() => null);
      if (rig === null || name === sharedRigOf(plan)) continue;
      if (dialectOf(app).fixedPort === null) others.push(rig);
      else {
        // Two rigs would need the one port that the SDK knows.
        rig.close();
        this.#shared.delete(name);
      }
    }
    return others;
  }

  #rigFor(plan: TestRunPlan, task: LaneTask, host: Host): Promise<Rig> {
    const shared = sharedRigOf(plan);
    return shared === undefined ? this.#openRig(task, plan.setup ?? {}, host) : this.#sharedRig(task, shared);
  }

  /** A shared rig; it is opened when it is not open. */
  async #sharedRig(setup: LaneSetup, name: SharedRig): Promise<Rig> {
    let opening = this.#shared.get(name);
    // Of the lane's own host: it lives longer than the test run that opens it.
    opening ??= this.#openRig(setup, name === "linked" ? LINKED_ROBOT : {}, this.#host);
    this.#shared.set(name, opening);
    try {
      const rig = await opening;
      if (dialectOf(rig.options.app) === dialectOf(setup.app)) return rig;
      // Opened for what the app's files show, before the app was installed.
      rig.close();
    } catch (error) {
      this.#shared.delete(name);
      throw error;
    }
    this.#shared.delete(name);
    return this.#sharedRig(setup, name);
  }

  #openRig({ app, venv, folder, appFolder, isolation }: LaneSetup, setup: RigSetup, host: Host): Promise<Rig> {
    this.#rigs += 1;
    const name = `rig-${this.#rigs}`;
    const folders = { folder: join(folder, name), appFolder: join(appFolder, name) };
    return Rig.open({ app, venv, ...folders, isolation, setup, host });
  }

  async #giveBack(plan: TestRunPlan, rig: Rig, succeeded: boolean): Promise<void> {
    const shared = sharedRigOf(plan);
    if (shared !== undefined && succeeded && (await rig.reset())) return;
    if (shared !== undefined) this.#shared.delete(shared);
    await rig.discard();
  }
}

/** @throws HarnessError when another program listens on the port of the app's page */
async function waitForFreePort({ page }: AppUnderTest, signal: AbortSignal): Promise<void> {
  if (page === null) return;
  await waitFor(PORT_LIMIT_MS, "", () => portIsFree(page.port), signal).catch(() => {
    signal.throwIfAborted();
    throw new HarnessError(`port ${page.port} of ${page.url} is taken: stop the program that listens there.`);
  });
}
