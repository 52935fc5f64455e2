import { join } from "node:path";
import { waitFor } from "../../../common/time/wait-for.ts";
import { ALL_TEST_RUNS } from "../../test-runs/all-test-runs.ts";
import type { TestRunPlan } from "../../test-runs/test-run-plan.ts";
import { type AppUnderTest, dialectOf } from "../app/app-under-test.ts";
import { HarnessError, type Host } from "../host.ts";
import { portIsFree } from "../ports.ts";
import { Rig, type RigSetup } from "../rig.ts";
import { TestBed } from "../test-bed.ts";
import type { LaneResult, LaneSetup, LaneTask } from "./messages.ts";

const PORT_LIMIT_MS = 5000;
/** Longer than any test run takes even when all its deadlines pass, the long forms included. */
const TEST_RUN_LIMIT_MS = 300_000;
/** Milliseconds between two looks for a connection. */
const WATCH_MS = 50;

type OnConnected = (startupSeconds: number) => void;

/** Executes test runs one after the other. Those without a set-up of their own share a rig while it stays clean. */
export class Lane {
  readonly #host: Host;
  #shared: Promise<Rig> | null = null;
  #rigs = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Opens the shared rig before the first test run needs it. A failure is reported by the test run that uses the rig. */
  async prepare(setup: LaneSetup): Promise<void> {
    this.#shared ??= this.#openRig(setup, {}, this.#host);
    await this.#shared.catch(() => {});
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
    const timer = setTimeout(
      () => deadline.abort(new Error(`not finished within ${TEST_RUN_LIMIT_MS / 1000} s`)),
      TEST_RUN_LIMIT_MS,
    );
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
    let shared: Rig | null;
    try {
      shared = await this.#settleSharedRig(plan, task);
      rig = await this.#rigFor(plan, task, host);
    } catch (error) {
      return failed(error);
    }
    rig.instrument(plan.instrumented ?? false);
    const bed = new TestBed(rig, { ...task, title: plan.title, host }, shared?.pids);
    const watch = setInterval(() => {
      const run = bed.log.runs.find(({ connectedAt }) => connectedAt !== null);
      if (run !== undefined) onConnected((run.connectedAt ?? 0) - run.startedAt);
    }, WATCH_MS);
    let harnessFailure: string | null = null;
    try {
      await waitForFreePort(task.app);
      await plan.execute(bed);
      harnessFailure = bed.log.harnessFailure;
    } catch (error) {
      harnessFailure = failed(error).harnessFailure;
    } finally {
      clearInterval(watch);
      bed.close();
      await this.#giveBack(plan, rig, harnessFailure === null && !host.signal.aborted);
    }
    const { runs } = bed.log;
    const appRuns = runs.map((run) => run.toJSON());
    return { id, testRun: bed.toTestRun(), appRuns, facts: bed.facts, harnessFailure };
  }

  /** The shared rig once it is open: one that is being opened meanwhile would have processes that nobody knows. */
  async #settleSharedRig({ setup }: TestRunPlan, { app }: LaneTask): Promise<Rig | null> {
    const shared = (await this.#shared?.catch(() => null)) ?? null;
    if (setup === undefined || dialectOf(app).fixedPort === null) return shared;
    // Two rigs would need the one port that the SDK knows.
    shared?.close();
    this.#shared = null;
    return null;
  }

  async #rigFor({ setup }: TestRunPlan, task: LaneTask, host: Host): Promise<Rig> {
    if (setup !== undefined) return this.#openRig(task, setup, host);
    this.#shared ??= this.#openRig(task, {}, host);
    try {
      return await this.#shared;
    } catch (error) {
      this.#shared = null;
      throw error;
    }
  }

  #openRig({ app, venv, folder, appFolder, isolation }: LaneSetup, setup: RigSetup, host: Host): Promise<Rig> {
    this.#rigs += 1;
    const name = `rig-${this.#rigs}`;
    const folders = { folder: join(folder, name), appFolder: join(appFolder, name) };
    return Rig.open({ app, venv, ...folders, isolation, setup, host });
  }

  async #giveBack(plan: TestRunPlan, rig: Rig, succeeded: boolean): Promise<void> {
    if (plan.setup === undefined && succeeded && (await rig.reset())) return;
    rig.close();
    if (plan.setup === undefined) this.#shared = null;
  }
}

/** @throws HarnessError when another program listens on the port of the app's page */
async function waitForFreePort({ page }: AppUnderTest): Promise<void> {
  if (page === null) return;
  await waitFor(PORT_LIMIT_MS, "", () => portIsFree(page.port)).catch(() => {
    throw new HarnessError(`port ${page.port} of ${page.url} is taken: stop the program that listens there.`);
  });
}
