import { beforeEach, expect, test } from "vitest";
import { JumpingClock } from "../../../../common/testing/jumping-clock.ts";
import type { JobEvent } from "../../../../robot/wire/apps/jobs.ts";
import { Jobs, type JobWork } from "./jobs.ts";

let seen: JobEvent[];
let jobs: Jobs;
let clock: JumpingClock;
beforeEach(() => {
  seen = [];
  clock = new JumpingClock();
  let count = 0;
  jobs = new Jobs(
    () => String(++count),
    (job) => seen.push(job),
    clock,
  );
});

const untilAborted: JobWork = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

test("jobs run one after another and report each step", async () => {
  let release = () => {};
  jobs.add("first", async (run) => {
    run.enter("install", 50);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    run.log("a line", 40);
    return null;
  });
  const second = jobs.add("second", async () => {
    throw new Error("no luck");
  });
  expect(second).toMatchObject({ status: "pending", percent: 0, stage: null });
  await Promise.resolve();
  expect(jobs.list().map(({ status }) => status)).toEqual(["pending", "in_progress"]);
  release();
  expect(await jobs.done(second.job_id)).toMatchObject({ status: "failed", error: "no luck" });
  expect(jobs.get("1")).toMatchObject({ status: "done", percent: 100, logs: ["a line"] });
  expect(seen.filter(({ job_id }) => job_id === "1").map(({ percent }) => percent)).toEqual([0, 0, 50, 100]);
});

test("a job can be cancelled while it runs and before it runs", async () => {
  jobs.add("first", untilAborted);
  jobs.add("second", untilAborted);
  expect(await Promise.all([jobs.cancel("2"), jobs.cancel("1")])).toMatchObject([
    { status: "cancelled", error: null },
    { status: "cancelled", error: null },
  ]);
  expect(await jobs.cancel("1")).toMatchObject({ status: "cancelled" });
});

test("a job that waits is cancelled at once, while the job before it goes on", async () => {
  jobs.add("first", untilAborted);
  const second = jobs.add("second", async () => {
    throw new Error("never starts");
  });
  expect(await jobs.cancel(second.job_id)).toMatchObject({ status: "cancelled" });
  expect(seen).toContainEqual(expect.objectContaining({ job_id: second.job_id, status: "cancelled" }));
  expect(jobs.get("1").status).toBe("in_progress");
  await jobs.cancel("1");
  expect(await jobs.done(second.job_id)).toMatchObject({ status: "cancelled", error: null });
});

test("what goes wrong while a job is cancelled is in its log", async () => {
  const { job_id } = jobs.add("first", ({ signal }) =>
    untilAborted({ signal, enter: () => {}, log: () => {} }).catch(() => {
      throw new Error("the environment cannot be restored");
    }),
  );
  await Promise.resolve();
  expect(await jobs.cancel(job_id)).toMatchObject({
    status: "cancelled",
    logs: ["the environment cannot be restored"],
  });
});

test("close cancels all jobs", async () => {
  for (const name of ["first", "second", "third"]) jobs.add(name, untilAborted);
  await jobs.close();
  expect(jobs.list().map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(() => jobs.add("fourth", untilAborted)).toThrow(expect.objectContaining({ code: "shutting-down" }));
});

test("the last fifty jobs are kept", async () => {
  for (let count = 0; count < 60; count += 1) await jobs.done(jobs.add("one", async () => null).job_id);
  expect(jobs.list()).toHaveLength(50);
  expect(() => jobs.get("1")).toThrow(expect.objectContaining({ code: "job-not-found" }));
  await expect(jobs.cancel("nonsense")).rejects.toMatchObject({ code: "job-not-found" });
});

test("a tool that prints without end is reported ten times a second, with its last lines", async () => {
  let release = () => {};
  const { job_id } = jobs.add("noisy", async (run) => {
    for (let line = 0; line < 100_000; line += 1) run.log(`line ${line} ${"x".repeat(5000)}`, 10);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return null;
  });
  await clock.advanceAsync(0);
  expect(seen).toHaveLength(2);
  await clock.advanceAsync(1000);
  expect(seen).toHaveLength(3);
  expect(seen[2]).toMatchObject({ log_lines: 100_000, new_logs: { length: 200 } });
  expect(seen[2]?.new_logs.at(-1)).toMatch(/^line 99999 x{980,}$/);
  expect(seen[2]?.new_logs.every((line) => line.length <= 1000)).toBe(true);
  release();
  expect(await jobs.done(job_id)).toMatchObject({ status: "done" });
  expect(seen).toHaveLength(4);
});

test("an event has the lines that are new since the one before; who joins later gets all of them once", async () => {
  let print = (_: string) => {};
  let release = () => {};
  const { job_id } = jobs.add("talks", async (run) => {
    print = run.log;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return null;
  });
  await clock.advanceAsync(0);
  for (const line of ["one", "two"]) print(line);
  await clock.advanceAsync(100);
  print("three");
  expect(jobs.unfinished()).toMatchObject([{ job_id, log_lines: 3, new_logs: ["one", "two", "three"] }]);
  await clock.advanceAsync(100);
  release();
  await jobs.done(job_id);
  expect(seen.map(({ new_logs }) => new_logs)).toEqual([[], [], ["one", "two"], ["three"], []]);
  expect(seen.map(({ log_lines }) => log_lines)).toEqual([0, 0, 2, 3, 3]);
  expect(jobs.unfinished()).toEqual([]);
  expect(jobs.get(job_id)).toMatchObject({ logs: ["one", "two", "three"], log_lines: 3 });
});

test("a job beyond the twentieth that waits or runs is refused, until one is over", async () => {
  for (let count = 0; count < 20; count += 1) jobs.add("install", untilAborted);
  expect(() => jobs.add("one more", untilAborted)).toThrow(
    /^20 jobs wait or run, the maximum\. .*GET \/api\/apps\/jobs/,
  );
  await jobs.cancel("20");
  expect(jobs.add("one more", untilAborted)).toMatchObject({ status: "pending" });
  await jobs.close();
});
