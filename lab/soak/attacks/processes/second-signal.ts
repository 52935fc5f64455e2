// A second Ctrl-C ends the program, whatever the shutdown waits for.
import { robotProcessOf } from "../../../bench/processes.ts";
import type { Attack } from "../../attack.ts";
import { sleep, timed } from "../../attack-tools.ts";

export default {
  title: "the second Ctrl-C while the robot process hangs",
  async run({ daemon, row }) {
    const robotProcess = robotProcessOf(daemon.pid);
    process.kill(robotProcess, "SIGSTOP");
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
      process.kill(robotProcess, "SIGKILL");
    }
  },
} satisfies Attack;
