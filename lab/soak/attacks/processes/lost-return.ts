// The robot process ends while it returns the robot to its default pose after an app.
import { DEFAULT_POSE } from "../../../../robot/description/poses.ts";
import { until } from "../../../bench/daemon.ts";
import { robotProcessOf } from "../../../bench/processes.ts";
import type { Attack } from "../../attack.ts";
import { timed } from "../../attack-tools.ts";

/** Radians by which an antenna may be off its default angle. */
const NEAR = 0.1;

export default {
  title: "the robot process is killed as an app ends",
  async run({ daemon, row }) {
    const isAtDefault = async () => {
      const angles = (await daemon.get("/api/state/present_antenna_joint_positions")) as number[];
      return angles.every((angle, side) => Math.abs(angle - (DEFAULT_POSE.antennas[side] ?? 0)) < NEAR);
    };
    await daemon.post("/api/apps/start-app/steady_app");
    await until("the app moves the robot", 20_000, async () => !(await isAtDefault()));
    const stopped = daemon.post("/api/apps/stop-current-app").then((answer) => answer.text());
    await until("the robot returns", 10_000, async () => (await daemon.get("/api/move/running")).length > 0);
    process.kill(robotProcessOf(daemon.pid), "SIGKILL");
    await stopped;
    const { error } = await daemon.get("/api/daemon/status");
    const says = /default pose/.test(String(error));
    row("the status meanwhile", String(error).slice(-34), "names the default pose", says);
    const returnedMs = await timed(() => until("the robot is back", 30_000, isAtDefault).catch(() => {}));
    const isBack = await isAtDefault();
    row("the robot", isBack ? `returned after ${(returnedMs / 1000).toFixed(1)} s` : "elsewhere", "returned", isBack);
  },
} satisfies Attack;
