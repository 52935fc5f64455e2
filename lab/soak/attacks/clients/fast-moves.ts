// Moves supersede each other; none of them may pile up on its way to the robot.
import type { Attack } from "../../attack.ts";
import { flood, measureDaemon, reportHealth, reportMemory } from "../../attack-tools.ts";

export default {
  title: "a client starts moves as fast as it can",
  async run({ daemon, seconds, row }) {
    const socket = await daemon.socket("/ws/sdk");
    const move = { type: "task", uuid: "move", req: { antennas: [0.1, 0.1], duration: 5 } };
    const flooding = flood(socket, move, seconds);
    const { main, robot, slowest } = await measureDaemon(daemon, seconds);
    row("rate", `${(await flooding).toFixed(0)}/s`, "any", true);
    reportMemory(row, "the main process", main);
    reportMemory(row, "the robot process", robot);
    reportHealth(row, slowest);
    const stopped = await daemon.post("/api/motors/set_mode/disabled");
    row("the robot still obeys", stopped.status, "200", stopped.status === 200);
    socket.terminate();
  },
} satisfies Attack;
