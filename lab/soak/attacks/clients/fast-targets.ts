// As unpaced-app, with clients that are as fast as the daemon takes their messages.
import type { Attack } from "../../attack.ts";
import { flood, measureDaemon, reportHealth, reportMemory } from "../../attack-tools.ts";

const TARGET = {
  type: "set_full_target",
  head: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  antennas: [0.1, 0.1],
  body_yaw: null,
};

export default {
  title: "two clients send targets as fast as they can",
  async run({ daemon, seconds, row }) {
    const sockets = [await daemon.socket("/ws/sdk"), await daemon.socket("/ws/sdk")];
    const floods = Promise.all(sockets.map((socket) => flood(socket, TARGET, seconds)));
    const { main, robot, slowest } = await measureDaemon(daemon, seconds);
    const rates = await floods;
    row("rate", rates.map((rate) => `${rate.toFixed(0)}/s`).join(", "), "any", true);
    reportMemory(row, "the main process", main);
    reportMemory(row, "the robot process", robot);
    reportHealth(row, slowest);
    for (const socket of sockets) socket.terminate();
  },
} satisfies Attack;
