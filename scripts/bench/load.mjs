// Measures the control period without and with HTTP load, and the rate of the REST interface.
import { once } from "node:events";
import { createServer } from "node:http";
import autocannon from "autocannon";
import { figure, section } from "./figures.mjs";

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
  const text = await (await fetch(`${daemon.url}/api/daemon/status`)).text();
  const bare = createServer((_, response) => response.setHeader("content-type", "application/json").end(text));
  await once(bare.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (bare.address());
  const most = await autocannon({ url: `http://127.0.0.1:${port}`, connections: 10, duration: SECONDS });
  bare.close();
  const rate = `${burst.requests.average.toFixed(0)} requests/s, p50 ${burst.latency.p50} ms, p99 ${burst.latency.p99} ms`;
  figure("REST status, 10 connections", rate);
  figure("  the same text from a bare Node server", `${most.requests.average.toFixed(0)} requests/s`);
}
