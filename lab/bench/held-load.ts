// What the daemon holds under load: requests per second and latencies of four routes, the control period meanwhile, and 500
// clients of streams. Memory and descriptors before and after show that nothing stays behind.
import { readdirSync, readFileSync } from "node:fs";
import autocannon from "autocannon";
import WebSocket from "ws";
import { TEST_DATA } from "../../scripts/setup/test-apps.mjs";
import { type Daemon, startDaemon, until } from "./daemon.ts";
import { figure, section } from "./figures.ts";

const ROUTES = ["/api/daemon/status", "/api/state/full", "/api/apps/list", "/healthz"];
const CONNECTIONS = [1, 10, 100];
const SECONDS = 4;
const STREAMS = { "/ws/state": 200, "/ws/sdk": 200, "/api/events": 100 };

const usage = ({ pid }: Daemon) => ({
  megabytes: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
});

const inWords = ({ megabytes, descriptors }: ReturnType<typeof usage>) =>
  `${megabytes.toFixed(0)} MB, ${descriptors} descriptors`;

/** The control loop's statistics over its last seconds. */
async function figurePeriod(daemon: Daemon, when: string) {
  const { backend_status } = await daemon.get("/api/daemon/status");
  const { period_p50_ms: p50, period_p99_ms: p99, missed } = backend_status.control_loop_stats;
  const text = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${missed} missed`;
  figure(`control period ${when}`, text, "p99 within 10 +- 2 ms", Math.abs(p99 - 10) <= 2);
}

/** Longer than the statistics of the control period reach back, so that what went before does not count. */
const SETTLE_MS = 7000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function benchRoutes(daemon: Daemon) {
  for (const connections of CONNECTIONS) {
    for (const route of ROUTES) {
      const { requests, latency, non2xx, errors } = await autocannon({
        url: daemon.url + route,
        connections,
        duration: SECONDS,
      });
      const rate = `${requests.average.toFixed(0)} requests/s, p99 ${latency.p99} ms`;
      figure(`GET ${route}, ${connections} connections`, rate, "no failures", non2xx + errors === 0);
    }
    await figurePeriod(daemon, `under ${connections} connections`);
  }
}

/** Opens a stream that is read; resolves with the function that ends it. */
async function openStream(url: string, path: string) {
  if (path.startsWith("/ws/")) {
    const socket = new WebSocket(url.replace("http", "ws") + path);
    await new Promise((resolve, reject) => void socket.once("open", resolve).once("error", reject));
    return () => socket.terminate();
  }
  const abort = new AbortController();
  const { body } = await fetch(url + path, { signal: abort.signal });
  (async () => {
    for await (const _ of body ?? []);
  })().catch(() => {});
  return () => abort.abort();
}

async function benchStreams(daemon: Daemon) {
  const opening = Object.entries(STREAMS).flatMap(([path, count]) =>
    Array.from({ length: count }, () => openStream(daemon.url, path)),
  );
  const ends = await Promise.all(opening);
  await pause(1000 * SECONDS);
  figure(`${ends.length} clients of streams`, inWords(usage(daemon)));
  const { latency } = await autocannon({ url: `${daemon.url}/healthz`, connections: 1, duration: SECONDS });
  figure("GET /healthz beside them", `p50 ${latency.p50} ms, p99 ${latency.p99} ms`);
  await figurePeriod(daemon, `with ${ends.length} clients of streams`);
  for (const end of ends) end();
}

/** Starts a daemon of its own, with an app that moves the robot. */
export async function benchHeldLoad() {
  section("Held under load");
  const daemon = await startDaemon(TEST_DATA);
  try {
    await daemon.awake();
    await pause(SETTLE_MS);
    await figurePeriod(daemon, "idle");
    // So that there is a tick in each period.
    await daemon.post("/api/apps/start-app/steady_app");
    await pause(SETTLE_MS);
    await figurePeriod(daemon, "while an app moves the robot at 50 Hz");
    const before = usage(daemon);
    figure("before", inWords(before));
    await benchRoutes(daemon);
    const frames = await autocannon({
      url: `${daemon.url}/api/camera/frame`,
      connections: 1,
      duration: SETTLE_MS / 1000,
    });
    figure("camera frames without a pause", `${frames.requests.average.toFixed(0)} frames/s`);
    await figurePeriod(daemon, "while they are read");
    await benchStreams(daemon);
    await until("all connections are closed", 20_000, () => usage(daemon).descriptors <= before.descriptors + 2).catch(
      () => {},
    );
    const after = usage(daemon);
    figure("after", inWords(after), "no more descriptors", after.descriptors <= before.descriptors + 2);
  } finally {
    await daemon.stop();
  }
}
