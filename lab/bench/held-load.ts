// What the daemon holds under load: requests per second and latencies of four routes, the control period meanwhile, and 500
// clients of streams. Memory and descriptors before and after show that nothing stays behind.
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { TEST_DATA } from "../../scripts/setup/test-apps.mjs";
import { type Daemon, startDaemon, until } from "./daemon.ts";
import { figure, section } from "./figures.ts";
import { figurePeriod } from "./load.ts";
import { countDescriptors, residentMegabytes } from "./processes.ts";

const ROUTES = ["/api/daemon/status", "/api/state/full", "/api/apps/list", "/healthz"];
const CONNECTIONS = [1, 10, 100];
const SECONDS = 4;
const STREAMS = { "/ws/state": 200, "/ws/sdk": 200, "/api/events": 100 };

const usage = ({ pid }: Daemon) => `${residentMegabytes(pid).toFixed(0)} MB, ${countDescriptors(pid)} descriptors`;

/** Longer than the statistics of the control period reach back, so that what went before does not count. */
const SETTLE_MS = 7000;

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
async function openStream(daemon: Daemon, path: string) {
  if (path.startsWith("/ws/")) {
    const socket = await daemon.socket(path);
    return () => socket.terminate();
  }
  const abort = new AbortController();
  const { body } = await fetch(daemon.url + path, { signal: abort.signal });
  (async () => {
    for await (const _ of body ?? []);
  })().catch(() => {});
  return () => abort.abort();
}

async function benchStreams(daemon: Daemon) {
  const opening = Object.entries(STREAMS).flatMap(([path, count]) =>
    Array.from({ length: count }, () => openStream(daemon, path)),
  );
  const ends = await Promise.all(opening);
  await sleep(1000 * SECONDS);
  figure(`${ends.length} clients of streams`, usage(daemon));
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
    await sleep(SETTLE_MS);
    await figurePeriod(daemon, "idle");
    // So that there is a tick in each period.
    await daemon.post("/api/apps/start-app/steady_app");
    await sleep(SETTLE_MS);
    await figurePeriod(daemon, "while an app moves the robot at 50 Hz");
    const before = countDescriptors(daemon.pid);
    figure("before", usage(daemon));
    await benchRoutes(daemon);
    const frames = await autocannon({
      url: `${daemon.url}/api/camera/frame`,
      connections: 1,
      duration: SETTLE_MS / 1000,
    });
    figure("camera frames without a pause", `${frames.requests.average.toFixed(0)} frames/s`);
    await figurePeriod(daemon, "while they are read");
    await benchStreams(daemon);
    const areClosed = () => countDescriptors(daemon.pid) <= before + 2;
    await until("all connections are closed", 20_000, areClosed).catch(() => {});
    figure("after", usage(daemon), "no more descriptors", areClosed());
  } finally {
    await daemon.stop();
  }
}
