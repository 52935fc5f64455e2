// Connections that say nothing, and heads and bodies that come slowly, take no place for long.
import type { Attack } from "../../attack.ts";
import { openTcpConnection, reportWatch, sleep, watchDaemon } from "../../attack-tools.ts";

const HEAD = "PUT /api/apps/startup-app HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
const KINDS = {
  "that say nothing": { count: 2000, text: "" },
  "with half a head": { count: 500, text: `GET /healthz HTTP/1.1\r\nx: ${"x".repeat(12_000)}` },
  "with half a body": { count: 500, text: `${HEAD}content-length: 63000\r\n\r\n"${"x".repeat(60_000)}` },
};

export default {
  title: "connections that send nothing, or not all of it",
  async run({ daemon, row }) {
    const stopWatching = await watchDaemon(daemon);
    for (const [what, { count, text }] of Object.entries(KINDS)) {
      const sockets = Array.from({ length: count }, () => openTcpConnection(daemon.url, text).resume());
      await sleep(40_000);
      const open = sockets.filter(({ closed }) => !closed).length;
      row(`${count} ${what}: open after 40 s`, open, "0", open === 0);
      for (const socket of sockets) socket.destroy();
    }
    reportWatch(row, await stopWatching(), 120);
  },
} satisfies Attack;
