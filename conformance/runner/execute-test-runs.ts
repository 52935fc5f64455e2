import type { AppRun } from "../evidence/app-run.ts";
import type { Evidence, Facts } from "../evidence/evidence.ts";
import { ownFailureOf } from "../requirements/failure-cause.ts";
import { ALL_TEST_RUNS } from "../test-runs/all-test-runs.ts";
import { firstRun } from "../test-runs/first-run.ts";
import { LINKED_ROBOT, type TestRunPlan } from "../test-runs/test-run-plan.ts";
import type { TestRun } from "../verdict/verdict.ts";
import { dialectOf } from "./app/app-under-test.ts";
import { type Host, TOO_BUSY } from "./host.ts";
import { LaneProcess } from "./lane/lane-process.ts";
import type { LaneResult, LaneTask } from "./lane/messages.ts";
import type { NamespaceOptions } from "./lane/namespaces.ts";
import { type FirstLane, laneSetup, namespacesOf, type TestRunLane } from "./lane/open-lane.ts";
import { SharedExclusiveLock } from "./lane/shared-exclusive-lock.ts";

export interface ExecuteOptions extends Omit<LaneTask, "id" | "startupSeconds" | "appFolder"> {
  /** Test runs at a time; those of an app with a page run one after the other where they share the network. */
  jobs: number;
  host: Host;
  /** The first lane, if it was opened before; it is closed with the others. */
  firstLane?: FirstLane | null;
  /** Is called when a test run begins and when it ends. */
  onTestRun(id: string, what: "begins" | "ends"): void;
  /** Is called with the evidence so far whenever a test run has ended, and its id; `true` leaves the others out. */
  isDecided?(evidence: Evidence, ended: string): boolean;
}

/** The evidence of an app, and the ids of the test runs that were left out because the app did not connect. */
interface ExecutedTestRuns extends Evidence {
  notExecuted: readonly string[];
}

/**
 * Executes test runs side by side. The others begin as soon as the app connects in `first-run`; an app that never
 * connects is not run again. A test run that fails for reasons of the harness is repeated; the evidence of the failed
 * attempt does not count, but is kept. When the machine was too busy, it is repeated alone, and from then on one lane fewer
 * takes test runs.
 * @param openLane opens a lane with namespaces of its own
 * @throws the host's signal's reason
 */
export async function executeTestRuns(
  plans: readonly TestRunPlan[],
  options: ExecuteOptions,
  openLane: (namespaces: NamespaceOptions) => TestRunLane = (namespaces) => new LaneProcess(namespaces, options.host),
): Promise<ExecutedTestRuns> {
  const execution = new Execution(options, openLane);
  try {
    return await execution.execute(plans);
  } finally {
    await execution.close();
  }
}

/** Seconds that the test run beside all others needs for its end: a random delay, a stop and another start. */
const LASTING_END_S = 4;
/** Test runs that are left for each lane when it pays to open another rig, which takes as long as a short one. */
const WORTH_A_RIG = 2;
/** Attempts at a test run that fails for reasons of the harness, and at one whose last failure is a machine that is too busy. */
const ATTEMPTS = 3;
const BUSY_ATTEMPTS = 6;

const wasTooBusy = ({ harnessFailure }: LaneResult): boolean => harnessFailure?.endsWith(TOO_BUSY) === true;

/** The error by which the app ended itself in an attempt that failed because the machine was too busy; null otherwise. */
const ownFailureIn = (result: LaneResult): string | null =>
  wasTooBusy(result) ? (result.appRuns.map(ownFailureOf).find((each) => each !== null) ?? null) : null;

class Execution {
  readonly #options: ExecuteOptions;
  readonly #openLane: (namespaces: NamespaceOptions) => TestRunLane;
  readonly #lanes: TestRunLane[] = [];
  /** The lane of a test run that outlasts the others; null without one. */
  #lasting: { lane: TestRunLane; ended: Promise<void> } | null = null;
  readonly #appRuns: AppRun[] = [];
  readonly #testRuns: TestRun[] = [];
  readonly #facts: Partial<Facts> = {};
  readonly #harnessFailures = new Map<string, string>();
  readonly #lock = new SharedExclusiveLock();
  /** Lanes that take test runs, the first ones. */
  #lanesInUse = Number.POSITIVE_INFINITY;
  #decided = false;
  #hasLinked = false;
  #startupSeconds: number | null = null;

  constructor(options: ExecuteOptions, openLane: (namespaces: NamespaceOptions) => TestRunLane) {
    this.#options = options;
    this.#openLane = openLane;
  }

  async execute(plans: readonly TestRunPlan[]): Promise<ExecutedTestRuns> {
    const first = plans.find((plan) => plan === firstRun);
    this.#hasLinked = plans.some(({ setup }) => setup === LINKED_ROBOT);
    const queue = plans
      .filter((plan) => plan !== firstRun)
      .sort(
        (one, other) => Number(one.outlasts ?? false) - Number(other.outlasts ?? false) || other.seconds - one.seconds,
      );
    const lasting = this.#laneCount() > 1 && queue.length > 1 && queue.at(-1)?.outlasts ? queue.pop() : undefined;
    let connect: (connected: boolean) => void = () => {};
    const connected = new Promise<boolean>((resolve) => {
      connect = resolve;
    });
    const lanes = Math.max(1, Math.min(this.#laneCount(), plans.length - (lasting === undefined ? 0 : 1)));
    void this.#openLanes(lanes);
    if (lasting !== undefined) void connected.then((isConnected) => isConnected && this.#runBeside(lasting));
    await this.#cancellable(
      Promise.all(
        this.#lanes.map(async (lane, index) => {
          if (index === 0 && first !== undefined) {
            await this.#run(lane, first, (startupSeconds) => {
              this.#startupSeconds ??= startupSeconds;
              connect(true);
            });
            connect(this.#hasConnected());
          } else if (first === undefined) connect(true);
          if (!(await connected)) return;
          while (!this.#decided && index < this.#lanesInUse) {
            const plan = this.#next(queue, index);
            if (this.#secondsLeft(queue) <= LASTING_END_S) this.#lasting?.lane.othersEnd();
            if (plan === undefined) break;
            if (plan.outlasts === true) lane.othersEnd();
            await this.#run(lane, plan);
          }
          // Its robot and its daemon would take processor time from the other lanes.
          await lane.close();
        }),
      ),
    );
    await this.#cancellable(this.#endLasting());
    const left = lasting === undefined || this.#lasting !== null ? queue : [...queue, lasting];
    return { ...this.#evidence(), notExecuted: left.map(({ id }) => id) };
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#lanes, ...(this.#lasting === null ? [] : [this.#lasting.lane])].map((lane) => lane.close()),
    );
  }

  /** Seconds that the test runs of the queue commonly take, shared among the lanes. */
  #secondsLeft(queue: readonly TestRunPlan[]): number {
    const seconds = queue.reduce((sum, plan) => sum + plan.seconds, 0);
    return seconds / Math.min(this.#lanes.length, this.#lanesInUse);
  }

  /** Begins a test run on a lane of its own, which ends when the others are about to. */
  #runBeside(plan: TestRunPlan): void {
    const lane = this.#openLane(namespacesOf(laneSetup(this.#options, this.#lanes.length)));
    this.#lasting = { lane, ended: this.#run(lane, plan).then(() => lane.close()) };
    // Whoever awaits it gets the error.
    this.#lasting.ended.catch(() => {});
  }

  async #endLasting(): Promise<void> {
    this.#lasting?.lane.othersEnd();
    await this.#lasting?.ended;
  }

  #laneCount(): number {
    const { app, jobs, isolation } = this.#options;
    const usesOnePort = app.page !== null || dialectOf(app).fixedPort !== null;
    return usesOnePort && !isolation.network ? 1 : jobs;
  }

  /** Opens the lanes, and the rig of the first one before those of the others: these wait for what it shows. */
  async #openLanes(count: number): Promise<void> {
    const { firstLane } = this.#options;
    const setups = Array.from({ length: count }, (_, index) => laneSetup(this.#options, index));
    for (const [index, setup] of setups.entries())
      this.#lanes.push(index === 0 && firstLane ? firstLane.lane : this.#openLane(namespacesOf(setup)));
    for (const [index, setup] of setups.entries()) {
      const prepare = () => this.#lanes[index]?.prepare(setup, this.#isLinkLane(index) ? "linked" : "simulated");
      if (index === 0) await (firstLane?.prepared ?? prepare());
      else void prepare();
    }
  }

  /** Test runs with a robot behind a link run on the last lane, so that they share a rig. */
  #isLinkLane(index: number): boolean {
    return index > 0 && index === this.#lanes.length - 1 && this.#hasLinked;
  }

  /**
   * Takes the longest test run off the queue for which the lane has the rig. Without one, the lane with a robot behind a
   * link takes those that need a rig of their own anyway, and opens another rig only when enough is left to do for it.
   * Another lane takes any.
   */
  #next(queue: TestRunPlan[], lane: number): TestRunPlan | undefined {
    const hasLink = this.#isLinkLane(lane);
    let at = queue.findIndex(({ setup }) => (setup === LINKED_ROBOT) === hasLink);
    if (at < 0 && hasLink) at = queue.findIndex(({ setup }) => setup !== undefined);
    if (at < 0 && (!hasLink || queue.length > WORTH_A_RIG * this.#lanes.length)) at = 0;
    return at < 0 ? undefined : queue.splice(at, 1)[0];
  }

  async #run(
    lane: TestRunLane,
    plan: TestRunPlan,
    onConnected: (startupSeconds: number) => void = () => {},
  ): Promise<void> {
    this.#options.onTestRun(plan.id, "begins");
    const execute = () => this.#attempt(lane, plan, onConnected);
    // One beside all others does not keep them from running alone: it ends for that.
    const isBeside = !this.#lanes.includes(lane);
    let result = await (isBeside ? execute() : this.#lock.shared(execute));
    const failures = [ownFailureIn(result)];
    // The repetition gives the app no second chance: the evidence of a failed attempt does not count.
    while (result.harnessFailure !== null && failures.length < (wasTooBusy(result) ? BUSY_ATTEMPTS : ATTEMPTS)) {
      this.#options.host.signal.throwIfAborted();
      this.#keepFailedAttempt(plan, result, failures.length);
      const isAlone = wasTooBusy(result);
      if (isAlone) this.#lanesInUse = Math.max(1, Math.min(this.#lanesInUse, this.#lanes.length) - 1);
      // Repeated alone, it would wait for others that wait for it.
      if (isBeside) lane.othersEnd();
      else if (isAlone) await this.#endLasting();
      result = await (isAlone ? this.#lock.exclusive(execute) : this.#lock.shared(execute));
      failures.push(ownFailureIn(result));
      const last = failures.slice(-ATTEMPTS);
      // A machine that is too busy does not raise the same error three times, one after the other.
      if (last.length === ATTEMPTS && last[0] !== null && new Set(last).size === 1)
        result = { ...result, harnessFailure: null };
    }
    this.#keep(plan, result);
    this.#options.onTestRun(plan.id, "ends");
    this.#decided ||= this.#options.isDecided?.(this.#evidence(), plan.id) ?? false;
  }

  #attempt(lane: TestRunLane, { id }: TestRunPlan, onConnected: (startupSeconds: number) => void): Promise<LaneResult> {
    const { app, seed, thoroughness, replay } = this.#options;
    const startupSeconds = this.#startupSeconds;
    const index = this.#lanes.indexOf(lane);
    // The one beside all others comes after them.
    const setup = laneSetup(this.#options, index < 0 ? this.#lanes.length : index);
    return lane.execute(
      { ...setup, app, id, seed: seedOf(seed, id), thoroughness, startupSeconds, replay },
      onConnected,
    );
  }

  #keepFailedAttempt({ id, title }: TestRunPlan, { testRun, harnessFailure }: LaneResult, attempt: number): void {
    if (testRun === null) return;
    const reason = `does not count: ${harnessFailure?.split("\n")[0]}`;
    this.#testRuns.push({ ...testRun, id: `${id}-failed-attempt-${attempt}`, title: `${title} (${reason})` });
  }

  #keep({ id }: TestRunPlan, { testRun, appRuns, facts, harnessFailure }: LaneResult): void {
    if (harnessFailure !== null) this.#harnessFailures.set(id, harnessFailure);
    if (testRun !== null) this.#testRuns.push(testRun);
    this.#appRuns.push(...appRuns);
    const daemonLosses = { ...this.#facts.daemonLosses, ...facts.daemonLosses };
    Object.assign(this.#facts, facts, Object.keys(daemonLosses).length === 0 ? {} : { daemonLosses });
  }

  #hasConnected(): boolean {
    return this.#harnessFailures.size > 0 || this.#appRuns.some(({ connectedAt }) => connectedAt !== null);
  }

  #evidence(): Evidence {
    const order = (id: string) => ALL_TEST_RUNS.findIndex((plan) => id.startsWith(plan.id));
    return {
      app: this.#options.app,
      appRuns: [...this.#appRuns].sort((one, other) => order(one.testRun) - order(other.testRun)),
      testRuns: [...this.#testRuns].sort((one, other) => order(one.id) - order(other.id)),
      facts: this.#facts,
      harnessFailures: this.#harnessFailures,
    };
  }

  async #cancellable<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#options.host;
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    signal.throwIfAborted();
    return Promise.race([work, cancelled]);
  }
}

/** The seed of one test run (FNV-1a of seed and id): the same with `--only` as in a whole certification. */
function seedOf(seed: number, id: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
