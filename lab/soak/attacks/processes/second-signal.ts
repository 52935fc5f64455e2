// A second Ctrl-C ends the program, whatever the shutdown waits for.
import type { Attack } from "../../attack.ts";
import { commandLines, sleep, timed } from "../../attack-tools.ts";

const attack: Attack = {
  title: "the second Ctrl-C while the robot process hangs",
  async run({ daemon, row }) {
    const robotProcess = (await commandLines(daemon.pid)).find(({ words }) => words.includes("robot-process/main.js"));
    if (robotProcess === undefined) throw new Error("the daemon has no robot process");
    process.kill(robotProcess.pid, "SIGSTOP");
    try {
      process.kill(daemon.pid, "SIGINT");
      await sleep(1000);
      const ended = daemon.ended();
      process.kill(daemon.pid, "SIGINT");
      const ms = await timed(() => ended);
      row(
        "end after the second Ctrl-C",
        `${ms.toFixed(0)} ms, exit code ${await ended}`,
        "at most 2000 ms, 130",
        ms <= 2000 && (await ended) === 130,
      );
    } finally {
      process.kill(robotProcess.pid, "SIGKILL");
    }
  },
};
export default attack;
