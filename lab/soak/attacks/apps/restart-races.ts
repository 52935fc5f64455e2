// A restart keeps the slot: no other app comes in between, and a stop meanwhile is the last word.
import type { Attack } from "../../attack.ts";
import { sleep } from "../../attack-tools.ts";

const ROUNDS = 6;

export default {
  title: "starts and stops while an app restarts in place",
  async run({ daemon, row }) {
    const current = () => daemon.get("/api/apps/current-app-status");
    let [taken, revived] = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      await daemon.post("/api/apps/start-app/steady_app");
      const restarted = daemon.post("/api/apps/restart-current-app?in_place=true");
      await sleep(round * 80);
      const other = await daemon.post("/api/apps/start-app/brief_app");
      await restarted;
      if (other.ok || (await current()).info.name !== "steady_app") taken += 1;

      const again = daemon.post("/api/apps/restart-current-app");
      await sleep(round * 80);
      await daemon.post("/api/apps/stop-current-app");
      await again;
      await sleep(2000);
      if (["starting", "running"].includes((await current())?.state)) revived += 1;
      await daemon.post("/api/apps/stop-current-app");
      await daemon.appIs(["done", "error"], 20_000);
    }
    row("other apps that got the slot during a restart", taken, "0", taken === 0);
    row("apps that run 2 s after a stop during a restart", revived, "0", revived === 0);
  },
} satisfies Attack;
