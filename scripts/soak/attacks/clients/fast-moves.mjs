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
    row("memory in the second half", `+${lateGrowth.toFixed(0)} MB`, "flat: at most +40 MB", lateGrowth <= 40);
    row("memory of the robot process", `+${robot.growth.toFixed(0)} MB`, "at most +80 MB", robot.growth <= 80);
    row(
      "memory of it in the second half",
      `+${robot.lateGrowth.toFixed(0)} MB`,
      "flat: at most +30 MB",
      robot.lateGrowth <= 30,
    );
    row("slowest health check", `${slowest.toFixed(0)} ms`, "at most 1000 ms", slowest <= 1000);
    const stopped = await daemon.post("/api/motors/set_mode/disabled");
    row("the robot still obeys", stopped.status, "200", stopped.status === 200);
    socket.terminate();
  },
};
