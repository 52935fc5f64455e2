// Measures the control period without and with HTTP load, and the rate of the REST interface.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import autocannon from "autocannon";
import type { Daemon } from "./daemon.ts";
import { figure, section } from "./figures.ts";

const SECONDS = 6;

/** The loop's own statistics of its last seconds. */
async function readPeriods(daemon: Daemon) {
  const { backend_status } = await daemon.get("/api/daemon/status");
  return backend_status.control_loop_stats;
}

function printPeriods(when: string, stats: Record<string, number>) {
  const { period_p50_ms: p50 = Number.NaN, period_p99_ms: p99 = Number.NaN, missed } = stats;
  const off = Math.abs(p99 - 10);
  figure(
    `control period ${when}`,
    `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${missed} missed`,
    "p99 within 10 +- 2 ms",
    off <= 2,
  );
}

/** The control period with and without HTTP load. */
export async function benchPeriods(daemon: Daemon) {
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  printPeriods("idle", await readPeriods(daemon));
  await autocannon({ url: `${daemon.url}/api/state/full`, connections: 10, overallRate: 500, duration: SECONDS });
  printPeriods("under 500 requests/s", await readPeriods(daemon));
}

export async function benchLoad(daemon: Daemon) {
  section("Control loop and REST");
  await benchPeriods(daemon);
  const burst = await autocannon({ url: `${daemon.url}/api/daemon/status`, connections: 10, duration: SECONDS });
  const text = await (await fetch(`${daemon.url}/api/daemon/status`)).text();
  const bare = createServer((_, response) => response.setHeader("content-type", "application/json").end(text));
  await once(bare.listen(0, "127.0.0.1"), "listening");
  const { port } = bare.address() as AddressInfo;
  const most = await autocannon({ url: `http://127.0.0.1:${port}`, connections: 10, duration: SECONDS });
  bare.close();
  const rate = `${burst.requests.average.toFixed(0)} requests/s, p50 ${burst.latency.p50} ms, p99 ${burst.latency.p99} ms`;
  figure("REST status, 10 connections", rate);
  figure("  the same text from a bare Node server", `${most.requests.average.toFixed(0)} requests/s`);
}
