// Replies that nobody reads must not pile up in the daemon.
import type { Attack } from "../../attack.ts";
import { flood, measureDaemon, reportWatch, sleep } from "../../attack-tools.ts";

export default {
  title: "a client sends bad moves and never reads",
  async run({ daemon, seconds, row }) {
    // The system's buffers have to fill up first.
    const duration = Math.max(seconds, 20);
    const socket = await daemon.socket("/ws/sdk");
    const closed = new Promise<string>((resolve) => void socket.once("close", () => resolve("closed")));
    socket.pause();
    void flood(socket, { type: "task", uuid: "bad", req: { duration: 9999 } }, duration);
    const measured = await measureDaemon(daemon, duration);
    socket.resume();
    const state = await Promise.race([closed, sleep(5000).then(() => "still open")]);
    reportWatch(row, measured, 60);
    row("the connection", state, "closed", state === "closed");
    socket.terminate();
  },
} satisfies Attack;
