// Whatever call of the SDK a stop interrupts, the app ends quietly.
import { until } from "../../../bench/daemon.ts";
import type { Attack } from "../../attack.ts";
import { sleep, timed } from "../../attack-tools.ts";

/** Apps that are inside a call of the SDK most of the time: moves, waits, recording and playing. */
const APPS = ["goto_app", "steady_app", "listening_app", "tone_app", "audio_app", "async_app"];
/** Milliseconds from the start to the stop. */
const DELAYS = [0, 150, 400, 1000, 2500];
const STOP_MS = 5000;

export default {
  title: "apps are stopped at any moment, inside calls of the SDK",
  async run({ daemon, row }) {
    for (const app of APPS) {
      const failed = [];
      let slowest = 0;
      for (const delay of DELAYS) {
        await until("the slot is free", 20_000, async () => (await daemon.post(`/api/apps/start-app/${app}`)).ok);
        await sleep(delay);
        slowest = Math.max(
          slowest,
          await timed(() => daemon.post("/api/apps/stop-current-app").then((answer) => answer.text())),
        );
        const { state, error } = await daemon.get("/api/apps/current-app-status");
        if (state !== "done") failed.push(`after ${delay} ms: ${state}, ${String(error).split("\n").at(-1)}`);
      }
      const seen = failed.length === 0 ? `done, at most ${(slowest / 1000).toFixed(1)} s` : failed.join("; ");
      row(app, seen, `done, at most ${STOP_MS / 1000} s`, failed.length === 0 && slowest <= STOP_MS);
    }
  },
} satisfies Attack;
