// A startup app that a user stopped stays stopped when the robot is lost and found again.
import { until } from "../../../bench/daemon.ts";
import { robotProcessOf } from "../../../bench/processes.ts";
import type { Attack } from "../../attack.ts";
import { sleep } from "../../attack-tools.ts";

/** Seconds in which a startup app would be started again. */
const WAIT_S = 10;

export default {
  title: "a user stops the startup app, then the robot process is killed",
  dataFolder: "own",
  options: ["--startup-app", "steady_app"],
  async run({ daemon, row }) {
    const status = () => daemon.get("/api/apps/current-app-status");
    await daemon.appIs(["running"], 30_000);
    await daemon.post("/api/apps/stop-current-app").then((answer) => answer.text());
    const robotProcess = robotProcessOf(daemon.pid);
    process.kill(robotProcess, "SIGKILL");
    await until("another robot process", 30_000, () => robotProcessOf(daemon.pid) !== robotProcess);
    await until("no error", 30_000, async () => (await daemon.get("/api/daemon/status")).error === null);
    let starts = 0;
    for (let second = 0; second < WAIT_S; second += 1) {
      await sleep(1000);
      if (["starting", "running"].includes((await status())?.state)) starts += 1;
    }
    row(`in the next ${WAIT_S} s`, starts === 0 ? "no app" : "started again", "no app", starts === 0);
  },
} satisfies Attack;
