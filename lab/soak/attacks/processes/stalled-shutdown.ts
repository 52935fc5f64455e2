// Clients that neither read nor answer must not hold up the end of the daemon.
import type { Attack } from "../../attack.ts";
import { getRequest, openUnread, timed } from "../../attack-tools.ts";

export default {
  title: "shutdown with stalled clients",
  async run({ daemon, row }) {
    for (const path of ["/ws/sdk", "/ws/state", "/ws/scene", "/ws/audio"]) (await daemon.socket(path)).pause();
    openUnread(daemon.url, 1, getRequest("/api/events"));
    openUnread(daemon.url, 1, "GET /api/events HTTP/1.1\r\nhost:");
    let code: number | null = null;
    const ms = await timed(async () => {
      code = await daemon.stop();
    });
    // The robot takes about 2.5 s to go to sleep.
    row(
      "end of the daemon",
      `${(ms / 1000).toFixed(1)} s, exit code ${code}`,
      "at most 6 s, 0",
      ms <= 6000 && code === 0,
    );
  },
} satisfies Attack;
