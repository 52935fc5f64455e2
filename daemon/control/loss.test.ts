import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { INIT } from "../../robot/description/poses.ts";
import { poseFromRpy } from "../../robot/kinematics/pose.ts";
import { systemClock } from "../clock.ts";
import { forkRobot } from "./fork.ts";
import type { Robot, RobotEvent, RobotState } from "./robot.ts";

const entry = new URL("../../dist/daemon/control/main.js", import.meta.url);
const nod = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0.3, yaw: 0 });

beforeAll(() => {
  if (!existsSync(fileURLToPath(entry))) throw new Error(`${entry.pathname} is missing: run npm run build first`);
});

/** The robot's process, as the only child of this one that runs its program. */
function robotProcess(): number {
  const found = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOurs(name));
  if (found.length !== 1) throw new Error(`there are ${found.length} robot processes`);
  return Number(found[0]);
}

/** Field 4 of the stat file is the parent; proc(5). */
function isOurs(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1");
    return state !== "Z" && Number(parent) === process.pid && command.includes("/control/main.js");
  } catch {
    return false;
  }
}

async function awakeRobot(): Promise<{ robot: Robot; events: RobotEvent[] }> {
  const robot = await forkRobot({ entry, link: "sim", clock: systemClock });
  onTestFinished(() => robot.close());
  const events: RobotEvent[] = [];
  robot.onEvent((event) => events.push(event));
  await robot.wakeUp();
  return { robot, events };
}

function stateIs(robot: Robot, wanted: (state: RobotState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (wanted(robot.state)) return resolve();
    const stop = robot.onState((state) => {
      if (!wanted(state)) return;
      stop();
      resolve();
    });
  });
}

const moveBegun = (robot: Robot): Promise<void> => stateIs(robot, ({ move }) => move !== null);
const lose = (): void => void process.kill(robotProcess(), "SIGKILL");

const moves: Record<string, (robot: Robot) => Promise<unknown>> = {
  goto: (robot) => robot.goto({ head: nod, duration: 5, method: "minjerk" }),
  wake_up: (robot) => robot.wakeUp(),
  goto_sleep: (robot) => robot.goToSleep(),
  return_to_default: (robot) =>
    robot.goto({ head: nod, duration: 0.1, method: "linear" }).then(() => robot.returnToDefault()),
};

test.each(Object.keys(moves))(
  "lost during a %s: the call says so, and another process holds the robot and goes on",
  async (kind) => {
    const { robot, events } = await awakeRobot();
    await robot.simulation?.watch(30);
    const move = moves[kind]?.(robot);
    const outcome = expect(move).rejects.toMatchObject({
      code: "robot-not-ready",
      message: /SIGKILL.*Another is started/,
    });
    await stateIs(robot, (state) => state.move?.kind === kind);
    events.length = 0;
    lose();
    await outcome;
    expect(robot.state).toMatchObject({ phase: "error", move: null, sent: null, awake: true, motorMode: "enabled" });
    expect(robot.state.error).toMatch(/ended \(SIGKILL\)\. Another is started in 0\.25 s\./);
    await expect(robot.wakeUp()).rejects.toMatchObject({ code: "robot-not-ready" });

    const seen: RobotState[] = [];
    robot.onState((state) => seen.push(state));
    const scene = new Promise((resolve) => robot.simulation?.onScene(resolve));
    await stateIs(robot, ({ phase, sent }) => phase === "running" && sent !== null);
    expect(robot.state).toMatchObject({ awake: true, motorMode: "enabled", error: null });
    const phases = events.filter(({ kind: what }) => what === "phase").map(({ data }) => data.phase);
    expect(phases.slice(0, 2)).toEqual(["error", "starting"]);
    expect(phases.at(-1)).toBe("running");
    // The simulated robot of the new process lies as if asleep; held there, it does not move by itself.
    const [first] = seen.filter(({ sent }) => sent !== null);
    first?.sent?.headJoints.forEach((goal, joint) => {
      expect(Math.abs(goal - (first.headJoints[joint] ?? 9))).toBeLessThan(0.05);
    });
    await scene;
    expect(await robot.goto({ head: INIT.head, duration: 1, method: "minjerk" })).toBe("finished");
  },
  60_000,
);

test("lost while it is closed: closing settles, and says that the robot was not laid to rest", async () => {
  const { robot, events } = await awakeRobot();
  const closed = robot.close();
  await moveBegun(robot);
  lose();
  await closed;
  expect(robot.state.phase).toBe("stopped");
  expect(events.at(-1)).toMatchObject({ level: "error", message: /SIGKILL.*not laid to rest/ });
}, 60_000);

test("lost again and again, it is given up; closing then has nothing to wait for", async () => {
  const robot = await forkRobot({ entry, link: "sim", clock: systemClock });
  for (let losses = 1; losses <= 6; losses += 1) {
    lose();
    await stateIs(robot, ({ phase }) => phase === "error");
    if (losses < 6) await stateIs(robot, ({ phase }) => phase === "running");
  }
  expect(robot.state.error).toMatch(/It keeps ending\. Restart the daemon/);
  await expect(robot.wakeUp()).rejects.toMatchObject({ code: "robot-not-ready" });
  await robot.close();
  expect(robot.state.phase).toBe("stopped");
}, 120_000);

test("closed between two processes, none is started any more", async () => {
  const { robot } = await awakeRobot();
  lose();
  await stateIs(robot, ({ phase }) => phase === "error");
  await robot.close();
  expect(robot.state.phase).toBe("stopped");
  expect(robotProcess).toThrow("there are 0");
}, 60_000);

test("a robot of metal that is not there: its process is lost and started again like any", async () => {
  const robot = await forkRobot({ entry, link: "serial:/dev/no-such-port", clock: systemClock });
  onTestFinished(() => robot.close());
  expect(robot.state.error).toMatch(/no-such-port cannot be opened/);
  lose();
  await stateIs(robot, ({ error }) => error?.includes("SIGKILL") ?? false);
  await stateIs(robot, ({ phase }) => phase === "starting");
  await stateIs(robot, ({ error }) => error?.includes("no-such-port cannot be opened") ?? false);
  await robot.close();
  expect(robot.state.phase).toBe("stopped");
}, 60_000);
