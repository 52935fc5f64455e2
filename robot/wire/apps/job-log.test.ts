import fc from "fast-check";
import { expect, test } from "vitest";
import { jobEventOf, MAX_JOB_LINES, withJobEvent } from "./job-log.ts";
import type { Job } from "./jobs.ts";

const JOB: Job = {
  job_id: "1",
  command: "install /wave",
  status: "in_progress",
  stage: "install",
  percent: 20,
  logs: [],
  log_lines: 0,
  error: null,
  code: null,
  result: null,
};

/** A job after a tool printed `count` lines. */
const jobAfter = (count: number): Job => ({
  ...JOB,
  log_lines: count,
  logs: Array.from({ length: count }, (_, line) => `line ${line}`).slice(-MAX_JOB_LINES),
});

test("a client that joins at any moment has the log of the daemon after each event", () => {
  const printed = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(printed, fc.nat(9), (steps, joins) => {
      let [reported, count] = [0, 0];
      let client: Job | undefined;
      steps.forEach((lines, index) => {
        count += lines;
        const job = jobAfter(count);
        // A client that joins gets the whole log, then the lines that wait to be reported, which it knows already.
        if (index === joins) client = withJobEvent(undefined, jobEventOf(job, 0));
        if (client !== undefined) client = withJobEvent(client, jobEventOf(job, reported));
        reported = count;
        if (client !== undefined) expect(client).toEqual(job);
      });
    }),
  );
});

test("an event has the new lines only", () => {
  const { new_logs, ...fields } = jobEventOf(jobAfter(150), 148);
  expect(new_logs).toEqual(["line 148", "line 149"]);
  expect(fields).not.toHaveProperty("logs");
  expect(jobEventOf(jobAfter(150), 150).new_logs).toEqual([]);
});
