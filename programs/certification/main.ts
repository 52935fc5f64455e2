import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ProcessTable } from "../../common/machine/process-table.ts";
import { certify } from "../../conformance/certify/certify.ts";
import type { CertificationProgress } from "../../conformance/certify/collect-evidence.ts";
import {
  type CertifyAnswer,
  type CertifyProgress,
  type CertifyTask,
  type CertifyVerdict,
  EVIDENCE_FILE,
  type HarnessFailure,
} from "../../conformance/child-process/messages.ts";
import { notJudgedOf, problemsOf } from "../../conformance/child-process/problems.ts";
import { writeReport } from "../../conformance/report/write-report.ts";

/** Milliseconds from the cancellation to exit(1); shorter than the time after which the parent kills. */
const END_MS = 10_000;

/** What is answered, without its cost. */
type Answer = CertifyVerdict | HarnessFailure;

const end = new AbortController();
const cancel = (): void => {
  end.abort(new Error("the certification was cancelled"));
  setTimeout(() => process.exit(1), END_MS).unref();
};
// The parent is gone, or asks for the end. Ctrl-C does not reach this process, which leads a group of its own; a SIGINT that
// is sent to it nevertheless is ignored, because the parent decides.
process.on("disconnect", cancel);
process.on("SIGTERM", cancel);
process.on("SIGINT", () => {});

process.once("message", async (task: CertifyTask) => {
  const answer = await execute(task).catch((error: Error): Answer => {
    // The parent keeps it with the attempt.
    console.error(error);
    return { kind: "harness-error", message: error.message };
  });
  const answered: CertifyAnswer = { ...answer, cpuSeconds: cpuSeconds(), memoryBytes: process.memoryUsage.rss() };
  const sent = new Promise((resolve) => process.send?.(answered, resolve));
  if (process.connected) await sent;
  process.off("disconnect", cancel);
  if (process.connected) process.disconnect();
  process.exit(answer.kind === "verdict" ? 0 : 1);
});

async function execute({ out, report, ...task }: CertifyTask): Promise<Answer> {
  const verdict = await certify({
    ...task,
    thorough: false,
    replay: null,
    retries: 0,
    failFast: false,
    allowNetwork: false,
    sandbox: true,
    provider: false,
    secrets: {},
    only: null,
    host: { env: process.env, now: () => Date.now(), signal: end.signal },
    progress: sendProgress(),
  });
  if (report) await writeReport(verdict, out);
  await writeFile(join(out, EVIDENCE_FILE), await promisify(gzip)(`${JSON.stringify(verdict)}\n`));
  const problems = problemsOf(verdict);
  const { app } = verdict;
  const notJudged = notJudgedOf(verdict);
  const passed = verdict.results.filter(({ status }) => status === "pass").map(({ id }) => id);
  if (verdict.verdict !== "error")
    return { kind: "verdict", verdict: verdict.verdict, app, problems, passed, notJudged };
  const messages = problems.filter(({ status }) => status === "error").map(({ id, message }) => `${id}: ${message}`);
  return { kind: "harness-error", message: messages.join("\n") };
}

/** Sends the progress to the parent as it changes. */
function sendProgress(): CertificationProgress {
  // The clean environment is one step, as for people.
  const progress: CertifyProgress = { kind: "progress", done: 0, planned: 1, violated: [] };
  const running = new Set<string>();
  const change = (changed: Partial<CertifyProgress>): void => {
    Object.assign(progress, changed);
    process.send?.(progress, () => {});
  };
  return {
    plan: (steps) => change({ planned: progress.planned + steps }),
    begin: (step) => void running.add(step),
    end: (step) => {
      if (running.delete(step)) change({ done: progress.done + 1 });
    },
    reportViolated: (violated) => change({ violated }),
  };
}

/** Processor time of this process and of its children that have ended; seconds. */
function cpuSeconds(): number {
  const own = ProcessTable.readSync().get(process.pid);
  return own === undefined ? 0 : own.cpuSeconds + own.reapedCpuSeconds;
}
