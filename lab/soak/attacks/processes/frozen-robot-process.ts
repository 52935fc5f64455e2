// A robot process that no longer runs must not be reported as running.
import { until } from "../../../bench/daemon.ts";
import { robotProcessOf } from "../../../bench/processes.ts";
import type { Attack } from "../../attack.ts";
import { timed } from "../../attack-tools.ts";

export default {
  title: "the robot process is frozen while an app runs",
  async run({ daemon, row }) {
    const frozen = robotProcessOf(daemon.pid);
    await daemon.post("/api/apps/start-app/steady_app");
    process.kill(frozen, "SIGSTOP");
    const status = () => daemon.get("/api/daemon/status");
    const reportedMs = await timed(() => until("an error", 20_000, async () => (await status()).error !== null));
    const { state, error } = await status();
    row(
      "reported",
      `${(reportedMs / 1000).toFixed(1)} s, ${state}`,
      "within 2 s, error",
      reportedMs <= 2000 && state === "error",
    );
    row("the reason", String(error).slice(0, 34), "a sentence", String(error).length > 20);
    const replacedMs = await timed(() =>
      until("another robot process", 30_000, () => robotProcessOf(daemon.pid) !== frozen),
    );
    row("replaced", `${(replacedMs / 1000).toFixed(1)} s later`, "at most 10 s", replacedMs <= 10_000);
    const runsMs = await timed(() => until("no error", 30_000, async () => (await status()).error === null));
    row("the robot obeys again", `${(runsMs / 1000).toFixed(1)} s later`, "at most 20 s", runsMs <= 20_000);
    const stopMs = await timed(() => daemon.post("/api/apps/stop-current-app").then((answer) => answer.text()));
    row("a stop of the app", `${(stopMs / 1000).toFixed(1)} s`, "at most 15 s", stopMs <= 15_000);
    const started = await daemon.post("/api/apps/start-app/brief_app");
    row("the next app", started.status, "200", started.status === 200);
  },
} satisfies Attack;
