// Starts the one app of a data folder in a daemon at port 8000, lets it run and stops it; prints what happened as JSON.
import { startDaemon, until } from "../bench/daemon.ts";

const START_MS = 90_000;
/** Milliseconds that an app must run to count as one that runs. */
const RUNS_MS = 6000;

const daemon = await startDaemon(process.argv[2] ?? "", ["--port", "8000"]);
try {
  const state = async () => (await daemon.get("/api/apps/current-app-status")) ?? { state: "none", error: null };
  const [app] = await daemon.get("/api/apps/list");
  await daemon.awake();
  await daemon.post(`/api/apps/start-app/${app.name}`);
  await until("the app runs or ends", START_MS, async () => (await state()).state !== "starting");
  const end = Date.now() + RUNS_MS;
  await until("time passes", START_MS, async () => (await state()).state !== "running" || Date.now() > end);
  const last = await state();
  if (last.state === "running") await daemon.post("/api/apps/stop-current-app");
  const start = last.state === "running" ? "runs" : last.state === "error" ? "fails" : "ends";
  console.log(JSON.stringify({ start, detail: last.error ?? last.state }));
} finally {
  await daemon.stop();
}
