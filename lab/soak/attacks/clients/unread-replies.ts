// Replies that nobody reads must not pile up in the daemon.
import type { Attack } from "../../attack.ts";
import { flood, measureDaemon, openSocket, sleep } from "../../attack-tools.ts";

const attack: Attack = {
  title: "a client sends bad moves and never reads",
  async run({ daemon, seconds, row }) {
    // The system's buffers have to fill up first.
    const duration = Math.max(seconds, 20);
    const socket = await openSocket(daemon.url, "/ws/sdk");
    const closed = new Promise<string>((resolve) => void socket.once("close", () => resolve("closed")));
    socket.pause();
    void flood(socket, { type: "task", uuid: "bad", req: { duration: 9999 } }, duration);
    const { main, slowest } = await measureDaemon(daemon, duration);
    socket.resume();
    const state = await Promise.race([closed, sleep(5000).then(() => "still open")]);
    row("memory of the main process", `+${main.growth.toFixed(0)} MB`, "at most +60 MB", main.growth <= 60);
    row("slowest health check", `${slowest.toFixed(0)} ms`, "at most 1000 ms", slowest <= 1000);
    row("the connection", state, "closed", state === "closed");
    socket.terminate();
  },
};
export default attack;
