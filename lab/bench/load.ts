// Measures the control period without and with HTTP load, and the rate of the REST interface.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import type { Daemon } from "./daemon.ts";
import { figure, section } from "./figures.ts";

const SECONDS = 6;

/** The control loop's statistics over its last seconds. */
export async function figurePeriod(daemon: Daemon, when: string) {
  const { backend_status } = await daemon.get("/api/daemon/status");
  const { period_p50_ms: p50, period_p99_ms: p99, missed } = backend_status.control_loop_stats;
  const text = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${missed} missed`;
  figure(`control period ${when}`, text, "p99 within 10 +- 2 ms", Math.abs(p99 - 10) <= 2);
}

/** The control period with and without HTTP load. */
export async function benchPeriods(daemon: Daemon) {
  await sleep(SECONDS * 1000);
  await figurePeriod(daemon, "idle");
  await autocannon({ url: `${daemon.url}/api/state/full`, connections: 10, overallRate: 500, duration: SECONDS });
  await figurePeriod(daemon, "under 500 requests/s");
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
