import { expect, test } from "vitest";
import { exampleCatalogueVerdict } from "../testing/example-run.ts";
import { WorkerMetrics } from "./metrics.ts";

const verdict = (known: boolean) => ({ kind: "verdict", verdict: exampleCatalogueVerdict(), known }) as const;
const failure = { kind: "deadline", message: "late", output: "" } as const;

test("counts verdicts, failures and costs, and what runs; a verdict that was there costs nothing", async () => {
  const metrics = new WorkerMetrics(1000);
  for (let running = 0; running < 5; running += 1) metrics.begin();
  metrics.end(verdict(false));
  metrics.end(verdict(true));
  metrics.end({ kind: "failed", digest: null, failure });
  metrics.end({ kind: "no-verdict" });
  metrics.setQueue({ active: 2, failed: 1 }, 4);
  const lines = (await metrics.format()).split("\n");
  for (const line of [
    'queue_jobs{state="active"} 2',
    'queue_jobs{state="failed"} 1',
    "queue_workers 4",
    "redis_up 1",
    "worker_start_time_seconds 1000",
    "worker_running 1",
    'verdicts_total{verdict="conformant"} 1',
    "already_known_total 1",
    'failures_total{kind="deadline"} 1',
    "certification_seconds_total 20",
    "certification_cpu_seconds_total 5",
  ])
    expect(lines).toContain(`robot_catalogue_${line}`);
});

test("every line is a comment or a sample of Prometheus's text format, also while Redis is away", async () => {
  const metrics = new WorkerMetrics(0);
  metrics.setQueue({ active: 2 }, 4);
  metrics.setQueue(null, null);
  const text = await metrics.format();
  expect(text).not.toMatch(/queue_(jobs|workers)[{ ].*\d$/m);
  expect(text).toContain("robot_catalogue_redis_up 0");
  for (const line of text.split("\n").filter((line) => line !== ""))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?\d+(\.\d+)?)$/);
});

test("the page has the same samples", async () => {
  const metrics = new WorkerMetrics(0);
  metrics.setQueue({ active: 2 }, 4);
  const page = await metrics.formatPage();
  expect(page).toContain("<tr><th>queue_jobs active</th><td>2</td>");
  expect(page).toContain("<tr><th>queue_workers</th><td>4</td>");
});
