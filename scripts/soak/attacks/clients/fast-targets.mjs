// As unpaced-app, with clients that are as fast as the daemon takes their messages.
import { flood, openSocket, watch } from "../../attack-tools.mjs";

const TARGET = {
  type: "set_full_target",
  head: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  antennas: [0.1, 0.1],
  body_yaw: null,
};

/** @type {import("../../attack.mjs").Attack} */
export default {
  title: "two clients send targets as fast as they can",
  async run({ daemon, seconds, row }) {
    const sockets = [await openSocket(daemon.url, "/ws/sdk"), await openSocket(daemon.url, "/ws/sdk")];
    const floods = Promise.all(sockets.map((socket) => flood(socket, TARGET, seconds)));
    const { growth, lateGrowth, slowest, robot } = await watch(daemon, seconds);
    const rates = await floods;
    row("rate", rates.map((rate) => `${rate.toFixed(0)}/s`).join(", "), "any", true);
    row("memory of the main process", `+${growth.toFixed(0)} MB`, "at most +80 MB", growth <= 80);
    row(
      "growth from the first half to the second",
      `+${lateGrowth.toFixed(0)} MB`,
      "flat: at most +20 MB",
      lateGrowth <= 20,
    );
    row("memory of the robot process", `+${robot.growth.toFixed(0)} MB`, "at most +80 MB", robot.growth <= 80);
    row(
      "growth of it from the first half to the second",
      `+${robot.lateGrowth.toFixed(0)} MB`,
      "flat: at most +20 MB",
      robot.lateGrowth <= 20,
    );
    row("slowest health check", `${slowest.toFixed(0)} ms`, "at most 1000 ms", slowest <= 1000);
    for (const socket of sockets) socket.terminate();
  },
};
