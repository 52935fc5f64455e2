// On loopback all programs share one address; new connections replace idle ones.
import type { Attack } from "../../attack.ts";
import { openTcpConnection, sleep, timed } from "../../attack-tools.ts";

const IDLE = 1200;

export default {
  title: `${IDLE} idle connections from one address`,
  async run({ daemon, row }) {
    const idle = Array.from({ length: IDLE }, () => openTcpConnection(daemon.url));
    await sleep(1000);
    for (const path of ["/healthz", "/", "/api/apps/list"]) {
      let status = 0;
      const ms = await timed(async () => {
        const answer = await fetch(daemon.url + path, { headers: { connection: "close" } });
        status = answer.status;
        await answer.text();
      });
      row(`GET ${path}`, `${status} in ${ms.toFixed(0)} ms`, "200 within 1000 ms", status === 200 && ms <= 1000);
    }
    const opened = await daemon.socket("/ws/sdk").then(
      (socket) => {
        socket.terminate();
        return "open";
      },
      (error) => error.message,
    );
    row("/ws/sdk", opened, "open", opened === "open");
    for (const socket of idle) socket.destroy();
  },
} satisfies Attack;
