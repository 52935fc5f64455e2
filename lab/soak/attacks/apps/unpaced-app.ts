// A beginner's mistake: an app that sets targets in a loop without a pause.
import type { Attack } from "../../attack.ts";
import { measureDaemon, reportHealth, reportMemory, timed } from "../../attack-tools.ts";

export default {
  title: "an app sets targets without a pause",
  async run({ daemon, seconds, row }) {
    await daemon.post("/api/apps/start-app/unpaced_app");
    const { main, slowest } = await measureDaemon(daemon, seconds);
    const { backend_status } = await daemon.get("/api/daemon/status");
    const p99 = backend_status.control_loop_stats.period_p99_ms;
    const stopMs = await timed(() => daemon.post("/api/apps/stop-current-app").then((answer) => answer.text()));
    const { state, error } = await daemon.get("/api/apps/current-app-status");
    const { lines }: { lines: { text: string }[] } = await daemon.get("/api/apps/logs/unpaced_app?lines=100");
    const started = lines.findLastIndex((line) => line.text.startsWith("started "));
    const warnings = lines.slice(started).filter((line) => /targets per second;/.test(line.text));
    reportMemory(row, "the main process", main);
    reportHealth(row, slowest);
    row("control period, p99", `${p99.toFixed(1)} ms`, "10 +- 2 ms", Math.abs(p99 - 10) <= 2);
    row(
      "stop",
      `${(stopMs / 1000).toFixed(1)} s, ${state}, ${error}`,
      "at most 3 s, done, null",
      stopMs <= 3000 && state === "done" && error === null,
    );
    row("warnings in the app's log", warnings.length, "one, with rate and remedy", warnings.length === 1);

    await daemon.post("/api/apps/start-app/brief_app");
    const next = await daemon.appIs(["done", "error"], 20_000);
    row("the next app", `${next.state}, ${next.error}`, "done, null", next.state === "done" && next.error === null);
  },
} satisfies Attack;
