// Who starts the daemon with a pipe and does not read it, or stops its terminal, stops nothing but the log.
import type { Attack } from "../../attack.ts";
import { reportWatch, sleep, watchDaemon } from "../../attack-tools.ts";

export default {
  title: "nobody reads the daemon's log, while an app prints without end",
  async run({ daemon, seconds, row }) {
    const stopWatching = await watchDaemon(daemon);
    daemon.readOutput(false);
    const started = await daemon.post("/api/apps/start-app/output_flood");
    await sleep(seconds * 1000);
    const stopped = await daemon.post("/api/apps/stop-current-app");
    row("start and stop of the app", `${started.status}, ${stopped.status}`, "200, 200", started.ok && stopped.ok);
    reportWatch(row, await stopWatching());
    daemon.readOutput(true);
  },
} satisfies Attack;
