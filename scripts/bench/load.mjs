// Measures the control period without and with HTTP load, and the rate of the REST interface.
import autocannon from "autocannon";
import { figure, section } from "./figures.mjs";

/** The peer's rate for its status route, measured with 10 connections on two shared cores. */
const PEER_REQUESTS_PER_SECOND = 1935;
const SECONDS = 6;

/** @typedef {Awaited<ReturnType<typeof import("./daemon.mjs").startDaemon>>} Daemon */

/** The loop's own statistics of its last seconds. @param {Daemon} daemon */
async function readPeriods(daemon) {
  const { backend_status } = await daemon.get("/api/daemon/status");
  return backend_status.control_loop_stats;
}

/** @param {string} when @param {Record<string, number>} stats */
function printPeriods(when, stats) {
  const { period_p50_ms: p50 = Number.NaN, period_p99_ms: p99 = Number.NaN, missed } = stats;
  const off = Math.abs(p99 - 10);
  figure(
    `control period ${when}`,
    `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${missed} missed`,
    "p99 within 10 +- 2 ms",
    off <= 2,
  );
}

/** The control period with and without HTTP load. @param {Daemon} daemon */
export async function benchPeriods(daemon) {
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  printPeriods("idle", await readPeriods(daemon));
  await autocannon({ url: `${daemon.url}/api/state/full`, connections: 10, overallRate: 500, duration: SECONDS });
  printPeriods("under 500 requests/s", await readPeriods(daemon));
}

/** @param {Daemon} daemon */
export async function benchLoad(daemon) {
  section("Control loop and REST");
  await benchPeriods(daemon);
  const burst = await autocannon({ url: `${daemon.url}/api/daemon/status`, connections: 10, duration: SECONDS });
  const ratio = burst.requests.average / PEER_REQUESTS_PER_SECOND;
  figure(
    "REST status, 10 connections",
    `${burst.requests.average.toFixed(0)} requests/s = ${ratio.toFixed(1)} x the peer, p50 ${burst.latency.p50} ms, p99 ${burst.latency.p99} ms`,
    ">= 3 x the peer's 1,935",
    ratio >= 3,
  );
}
