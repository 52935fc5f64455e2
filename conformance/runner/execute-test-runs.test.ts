import { describe, expect, test } from "vitest";
import { goodRun } from "../requirements/testing/good-evidence.ts";
import { ALL_TEST_RUNS } from "../test-runs/all-test-runs.ts";
import { firstRun } from "../test-runs/first-run.ts";
import { LINKED_ROBOT, type TestRunPlan } from "../test-runs/test-run-plan.ts";
import { EXAMPLE_APP } from "./app/testing/example-app-under-test.ts";
import { executeTestRuns } from "./execute-test-runs.ts";
import { TOO_BUSY } from "./host.ts";
import type { LaneResult, LaneTask } from "./lane/messages.ts";

const ISOLATION = { network: false, quota: false, python: "python3", bubblewrap: null, reason: "a test" };
const PLANS = [firstRun, ...ALL_TEST_RUNS.filter((plan) => plan !== firstRun).slice(0, 11)];
/** Turns of the event loop that a test run takes, so that others can begin meanwhile. */
const TURNS = 5;
const STARTUP_S = 1.5;

const resultOf = (id: string, harnessFailure: string | null): LaneResult => {
  const testRun = { id, title: id, duration: 1, events: [], log: [], motion: { t: [], measured: [], sent: [] } };
  return { id, testRun, appRuns: [], facts: {}, harnessFailure };
};

/** Lanes that only note what they execute at the same time. */
class NotingLanes {
  /** In the order in which they began: the ids that ran then, that of the test run itself last. */
  readonly begun: { lane: number; ids: readonly string[]; startupSeconds: number | null }[] = [];
  /** The test runs that had begun when the one beside all others was told to end. */
  begunAtEnd: readonly string[] | undefined;
  readonly #running = new Set<string>();
  readonly #failures: Map<string, string>;
  #lanes = 0;
  #othersEnd = () => {};
  readonly #othersEnded = new Promise<void>((resolve) => {
    this.#othersEnd = resolve;
  });

  /** @param failures of the first attempts, by the ids of their test runs */
  constructor(failures: Readonly<Record<string, string>>) {
    this.#failures = new Map(Object.entries(failures));
  }

  open() {
    const lane = this.#lanes;
    this.#lanes += 1;
    return {
      prepare: async () => {},
      execute: (task: LaneTask, onConnected: (startupSeconds: number) => void) =>
        this.#execute(lane, task, onConnected),
      othersEnd: () => {
        this.begunAtEnd ??= this.begun.map(({ ids }) => ids.at(-1) ?? "");
        this.#othersEnd();
      },
      close: async () => {},
    };
  }

  async #execute(lane: number, task: LaneTask, onConnected: (startupSeconds: number) => void): Promise<LaneResult> {
    const { id, startupSeconds } = task;
    this.begun.push({ lane, ids: [...this.#running, id], startupSeconds });
    this.#running.add(id);
    onConnected(STARTUP_S);
    const failure = this.#failures.get(id) ?? null;
    if (id === "long-run" && failure === null) await this.#othersEnded;
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
    this.#running.delete(id);
    this.#failures.delete(id);
    return resultOf(id, failure);
  }
}

async function execute(lanes: NotingLanes, plans: readonly TestRunPlan[] = PLANS, jobs = 3) {
  const options = {
    app: EXAMPLE_APP,
    venv: "/venv",
    folder: "/test-runs",
    seed: 1,
    thoroughness: "default" as const,
    replay: null,
    jobs,
    isolation: ISOLATION,
    host: { env: {}, now: () => 0, signal: new AbortController().signal },
    onTestRun: () => {},
  };
  const evidence = await executeTestRuns(plans, options, () => lanes.open());
  return { ids: plans.map(({ id }) => id), evidence };
}

const BUSY = `the daemon did not get ready: ${TOO_BUSY}`;

test("three lanes execute three test runs at a time", async () => {
  const lanes = new NotingLanes({});
  const { ids, evidence } = await execute(lanes);
  expect(lanes.begun.map(({ ids }) => ids.at(-1)).sort()).toEqual([...ids].sort());
  expect(Math.max(...lanes.begun.map(({ ids }) => ids.length))).toBe(3);
  expect([evidence.harnessFailures.size, evidence.notExecuted]).toEqual([0, []]);
});

test("all but the first test run know how long the app takes to start", async () => {
  const lanes = new NotingLanes({});
  await execute(lanes);
  const [first, ...others] = lanes.begun.map(({ startupSeconds }) => startupSeconds);
  expect(first).toBeNull();
  expect(new Set(others)).toEqual(new Set([STARTUP_S]));
});

test("where the machine is too busy, the test run is repeated alone, and then one lane fewer is used", async () => {
  const lanes = new NotingLanes({ [firstRun.id]: BUSY });
  const { ids, evidence } = await execute(lanes);
  const ofFirst = lanes.begun.flatMap((each, at) => (each.ids.at(-1) === firstRun.id ? [{ ...each, at }] : []));
  expect(ofFirst).toHaveLength(2);
  const [, repeated = { at: 0, ids: [] }] = ofFirst;
  expect(repeated.ids).toEqual([firstRun.id]);
  const after = lanes.begun.slice(repeated.at + 1);
  const lastOfThird = lanes.begun.findLastIndex(({ lane }) => lane === 2);
  expect(lastOfThird).toBeLessThan(repeated.at);
  expect(Math.max(...after.map(({ ids }) => ids.length))).toBe(2);
  expect(evidence.testRuns.map(({ id }) => id).sort()).toEqual([...ids, `${firstRun.id}-failed-attempt-1`].sort());
  expect([evidence.harnessFailures.size, evidence.notExecuted]).toEqual([0, []]);
});

describe("attempts on a machine that is too busy", () => {
  const executeWith = async (errors: readonly string[], failures: readonly (string | null)[] = []) => {
    let attempt = 0;
    const lane = {
      prepare: async () => {},
      close: async () => {},
      execute: async ({ id }: LaneTask, onConnected: (startupSeconds: number) => void) => {
        onConnected(STARTUP_S);
        const { [attempt]: failure = BUSY } = failures;
        const stderrTail = ["Traceback (most recent call last):", errors[attempt] ?? ""];
        attempt += 1;
        const ended = { endCause: "by-itself", endRequestedAt: null, exit: { code: 1, signal: null } } as const;
        return { ...resultOf(id, failure), appRuns: [goodRun(id, { ...ended, stderrTail })] };
      },
    };
    const { evidence } = await execute({ open: () => lane } as never, [firstRun], 1);
    return { ...evidence, attempts: attempt, failure: evidence.harnessFailures.get(firstRun.id) ?? null };
  };

  test("that end by the same exception three times in a row are the app's", async () => {
    const { failure, attempts, appRuns } = await executeWith(["", ...Array(5).fill("KeyError: 'x'")]);
    expect([failure, attempts, appRuns.length]).toEqual([null, 4, 1]);
  });

  test("that end by different ones are the machine's, after six", async () => {
    const { failure, attempts } = await executeWith([
      "TimeoutError",
      "KeyError: 'x'",
      "TimeoutError",
      "",
      "TimeoutError",
    ]);
    expect([failure, attempts]).toEqual([BUSY, 6]);
  });

  test("end with the sixth, whose evidence counts", async () => {
    const { failure, attempts } = await executeWith([], [BUSY, BUSY, BUSY, BUSY, BUSY, null]);
    expect([failure, attempts]).toEqual([null, 6]);
  });

  test.each([
    ["always", ["the daemon ended", "the daemon ended", "the daemon ended"], 3],
    ["after a busy machine", [BUSY, BUSY, BUSY, "the daemon ended"], 4],
  ])("that fail for another reason %s end with the third or later", async (_, failures, count) => {
    const { failure, attempts } = await executeWith([], failures);
    expect([failure, attempts]).toEqual(["the daemon ended", count]);
  });
});

test("a test run that fails for another reason is repeated beside others, and all lanes stay in use", async () => {
  // The longest test run begins first.
  const { id } = PLANS.slice(1).reduce((one, other) => (other.seconds > one.seconds ? other : one));
  const lanes = new NotingLanes({ [id]: "the daemon ended" });
  await execute(lanes);
  const [, repeated = -1] = lanes.begun.flatMap(({ ids }, at) => (ids.at(-1) === id ? [at] : []));
  expect(lanes.begun[repeated]?.ids).toHaveLength(3);
  expect(lanes.begun.slice(repeated).some(({ lane }) => lane === 2)).toBe(true);
});

test("the test runs with a robot behind a link run on the last lane, one after the other", async () => {
  const lanes = new NotingLanes({});
  await execute(lanes, ALL_TEST_RUNS);
  const linked = ALL_TEST_RUNS.filter(({ setup }) => setup === LINKED_ROBOT).map(({ id }) => id);
  const executed = lanes.begun.filter(({ ids }) => linked.includes(ids.at(-1) ?? ""));
  expect(executed).toHaveLength(3);
  expect(executed.map(({ lane }) => lane)).toEqual([2, 2, 2]);
});

test("with two lanes, the last one opens another rig for what is left", async () => {
  const lanes = new NotingLanes({});
  await execute(lanes, ALL_TEST_RUNS, 2);
  const plain = ALL_TEST_RUNS.filter(({ setup }) => setup === undefined).map(({ id }) => id);
  expect(lanes.begun.filter(({ lane, ids }) => lane === 1 && plain.includes(ids.at(-1) ?? ""))).not.toEqual([]);
  expect(lanes.begun.map(({ ids }) => ids.at(-1)).sort()).toEqual(ALL_TEST_RUNS.map(({ id }) => id).sort());
});

test("the test run that outlasts the others begins with them on a lane of its own, and runs until it is told to end", async () => {
  const lanes = new NotingLanes({});
  await execute(lanes, ALL_TEST_RUNS);
  const begun = lanes.begun.findIndex(({ ids }) => ids.at(-1) === "long-run");
  expect([begun, lanes.begun[begun]?.lane]).toEqual([1, 3]);
  const untilEnd = lanes.begun.slice(begun, lanes.begunAtEnd?.length);
  expect(untilEnd.length).toBeGreaterThan(10);
  expect(untilEnd.every(({ ids }) => ids.includes("long-run"))).toBe(true);
});

test("it is told to end when the test runs left take as long as its own end, neither earlier nor later", async () => {
  const lanes = new NotingLanes({});
  await execute(lanes, ALL_TEST_RUNS);
  // The test run that a lane has just taken has not begun yet.
  const [taken, ...left] = lanes.begun.map(({ ids }) => ids.at(-1) ?? "").slice(lanes.begunAtEnd?.length);
  const secondsOf = (ids: readonly (string | undefined)[]) =>
    ALL_TEST_RUNS.filter(({ id }) => ids.includes(id)).reduce((sum, { seconds }) => sum + seconds, 0) / 3;
  expect(secondsOf(left)).toBeLessThanOrEqual(4);
  expect(secondsOf([taken, ...left])).toBeGreaterThan(4);
});

test("it ends before another one is repeated alone", async () => {
  const lanes = new NotingLanes({ "random-user": BUSY });
  const { evidence } = await execute(lanes, ALL_TEST_RUNS);
  const [, repeated] = lanes.begun.filter(({ ids }) => ids.at(-1) === "random-user");
  expect(repeated?.ids).toEqual(["random-user"]);
  expect([evidence.harnessFailures.size, evidence.notExecuted]).toEqual([0, []]);
});

test("it does not wait for the others when it is repeated alone", async () => {
  const lanes = new NotingLanes({ "long-run": BUSY });
  const { evidence } = await execute(lanes, ALL_TEST_RUNS);
  const [, repeated] = lanes.begun.filter(({ ids }) => ids.at(-1) === "long-run");
  expect(repeated?.ids).toEqual(["long-run"]);
  expect([evidence.harnessFailures.size, evidence.notExecuted]).toEqual([0, []]);
});

test("a single lane executes them too", async () => {
  const lanes = new NotingLanes({});
  await execute(lanes, ALL_TEST_RUNS, 1);
  expect(lanes.begun.map(({ ids }) => ids.at(-1)).sort()).toEqual(ALL_TEST_RUNS.map(({ id }) => id).sort());
});
