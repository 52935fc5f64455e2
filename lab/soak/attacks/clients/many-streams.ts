// Streams of one address are limited, so that requests have connections left.
import type { Attack } from "../../attack.ts";
import { timed } from "../../attack-tools.ts";

const STREAMS = 1000;

export default {
  title: `${STREAMS} WebSockets from one address`,
  async run({ daemon, row }) {
    const results = await Promise.allSettled(Array.from({ length: STREAMS }, () => daemon.socket("/ws/state")));
    const open = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    row("open streams", open.length, "at least 500, not all", open.length >= 500 && open.length < STREAMS);
    const ms = await timed(() => fetch(`${daemon.url}/healthz`).then((answer) => answer.text()));
    row("health check", `${ms.toFixed(0)} ms`, "at most 1000 ms", ms <= 1000);
    for (const socket of open) socket.terminate();
  },
} satisfies Attack;
