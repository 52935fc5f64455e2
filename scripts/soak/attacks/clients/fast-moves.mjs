// Moves supersede each other; none of them may pile up on its way to the robot.
import { flood, openSocket, watch } from "../../attack-tools.mjs";

/** @type {import("../../attack.mjs").Attack} */
export default {
  title: "a client starts moves as fast as it can",
  async run({ daemon, seconds, row }) {
    const socket = await openSocket(daemon.url, "/ws/sdk");
    const move = { type: "task", uuid: "move", req: { antennas: [0.1, 0.1], duration: 5 } };
    const flooding = flood(socket, move, seconds);
    const { growth, lateGrowth, slowest, robot } = await watch(daemon, seconds);
    row("rate", `${(await flooding).toFixed(0)}/s`, "any", true);
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
    const stopped = await daemon.post("/api/motors/set_mode/disabled");
    row("the robot still obeys", stopped.status, "200", stopped.status === 200);
    socket.terminate();
  },
};
