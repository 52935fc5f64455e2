import { existsSync } from "node:fs";
import { symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { commandOf, ProcessTable } from "../../../common/machine/process-table.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import type { Robot } from "../robot.ts";
import { startRobot } from "../start-robot.ts";
import type { RobotProcessOptions } from "./robot-process.ts";

const entry = new URL("../../../dist/programs/robot-process/main.js", import.meta.url);
const nod = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0.3, yaw: 0 });

beforeAll(() => {
  if (!existsSync(fileURLToPath(entry))) throw new Error(`${entry.pathname} is missing: run npm run build first`);
});

/** Id of the robot process: the only child of this one that runs its program. */
function robotProcess(): number {
  const isRobotProcess = ({ pid }: { pid: number }) =>
    commandOf(pid).some((word) => word.endsWith("/robot-process/main.js"));
  const found = ProcessTable.readSync().childrenOf(process.pid).filter(isRobotProcess);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`there are ${found.length} robot processes`);
  return only.pid;
}

/** A process that gets no processor for a while, as on a busy machine, is not killed. */
const SIMULATED = { entry, link: "sim", clock: systemClock, watchdogMs: DEADLINE_MS };

async function startAwakeRobot(options: Partial<RobotProcessOptions> = {}) {
  const robot = await startRobot({ ...SIMULATED, ...options });
  onTestFinished(() => robot.close());
  const events: RobotEvent[] = [];
  robot.onEvent((event) => events.push(event));
  await robot.wakeUp();
  return { robot, events };
}

function waitForState(robot: Robot, wanted: (state: RobotState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (wanted(robot.state)) return resolve();
    const stop = robot.onState((state) => {
      if (!wanted(state)) return;
      stop();
      resolve();
    });
  });
}

const moveStarted = (robot: Robot): Promise<void> => waitForState(robot, ({ move }) => move !== null);
const killRobotProcess = (): void => void process.kill(robotProcess(), "SIGKILL");

const moves: Record<string, (robot: Robot) => Promise<unknown>> = {
  goto: (robot) => robot.goto({ head: nod, duration: 5, method: "minjerk" }),
  wake_up: (robot) => robot.wakeUp(),
  goto_sleep: (robot) => robot.goToSleep(),
  return_to_default: (robot) =>
    robot.goto({ head: nod, duration: 0.1, method: "linear" }).then(() => robot.endAppSession()),
};

test.each(Object.keys(moves))(
  "lost during a %s: the call says so, and another process holds the robot and continues",
  async (kind) => {
    const { robot, events } = await startAwakeRobot();
    await robot.simulation?.watch(30);
    const move = moves[kind]?.(robot);
    const outcome = expect(move).rejects.toMatchObject({
      code: "robot-not-ready",
      message: /SIGKILL.*Another is started/,
    });
    await waitForState(robot, (state) => state.move?.kind === kind);
    events.length = 0;
    killRobotProcess();
    await outcome;
    expect(robot.state).toMatchObject({ phase: "error", move: null, sent: null, awake: true, motorMode: "enabled" });
    expect(robot.state.error).toMatch(/ended \(SIGKILL\)\. Another is started in 0\.25 s\./);
    await expect(robot.wakeUp()).rejects.toMatchObject({ code: "robot-not-ready" });

    const seen: RobotState[] = [];
    robot.onState((state) => seen.push(state));
    const scene = new Promise((resolve) => robot.simulation?.onScene(resolve));
    await waitForState(robot, ({ phase, sent }) => phase === "running" && sent !== null);
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
    expect(await robot.goto({ head: DEFAULT_POSE.head, duration: 1, method: "minjerk" })).toBe("finished");
  },
);

test("lost as an app ends: the next process returns the robot to default, and the state says so meanwhile", async () => {
  const { robot, events } = await startAwakeRobot();
  await robot.goto({ head: nod, antennas: [1, -1], duration: 0.5, method: "linear" });
  killRobotProcess();
  await waitForState(robot, ({ phase }) => phase === "error");
  const later = "The robot returns to its default pose when it is back.";
  await expect(robot.endAppSession()).rejects.toThrow(later);
  expect(robot.state.error).toContain(later);
  events.length = 0;
  await waitForState(robot, ({ move }) => move?.kind === "return_to_default");
  await waitForState(robot, ({ move, phase }) => move === null && phase === "running");
  // On a busy machine the simulated robot is later than the move.
  await waitForState(robot, ({ antennas }) => Math.abs(antennas[0] - DEFAULT_POSE.antennas[0]) < 0.05);
  expect(events.filter(({ kind }) => kind === "move_started")).toHaveLength(1);
});

test("lost while it is closed: closing settles, and reports that the robot was not put to sleep", async () => {
  const { robot, events } = await startAwakeRobot();
  const closed = robot.close();
  await moveStarted(robot);
  killRobotProcess();
  await closed;
  expect(robot.state.phase).toBe("stopped");
  expect(events.at(-1)).toMatchObject({ level: "error", message: /SIGKILL.*not put to sleep/ });
});

test("a process that is lost again and again is not started again; closing then has nothing to wait for", async () => {
  const robot = await startRobot(SIMULATED);
  for (let losses = 1; losses <= 6; losses += 1) {
    killRobotProcess();
    await waitForState(robot, ({ phase }) => phase === "error");
    if (losses < 6) await waitForState(robot, ({ phase }) => phase === "running");
  }
  expect(robot.state.error).toMatch(/It keeps ending\. Restart the daemon/);
  await expect(robot.wakeUp()).rejects.toMatchObject({ code: "robot-not-ready" });
  await robot.close();
  expect(robot.state.phase).toBe("stopped");
});

test.each(["error", "starting"])(
  "closed while a lost process is replaced (phase %s), no process is left, and an event says that the motors are on",
  async (wanted) => {
    const { robot, events } = await startAwakeRobot();
    killRobotProcess();
    await waitForState(robot, ({ phase }) => phase === wanted);
    await robot.close();
    expect(robot.state.phase).toBe("stopped");
    expect(robotProcess).toThrow("there are 0");
    await robot.close();
    const reports = events.filter(({ message }) => /not put to sleep; its motors are still on/.test(message));
    expect(reports).toMatchObject([{ level: "error" }]);
  },
);

test("closed while a lost process is replaced, a robot whose motors are off needs no report", async () => {
  const robot = await startRobot(SIMULATED);
  const events: RobotEvent[] = [];
  robot.onEvent((event) => events.push(event));
  killRobotProcess();
  await waitForState(robot, ({ phase }) => phase === "error");
  await robot.close();
  expect(events.filter(({ message }) => message.includes("not put to sleep"))).toEqual([]);
});

test("the process of a missing physical robot is restarted, too", async () => {
  const robot = await startRobot({ ...SIMULATED, link: "serial:/dev/no-such-port" });
  onTestFinished(() => robot.close());
  expect(robot.state.error).toMatch(/no-such-port cannot be opened/);
  killRobotProcess();
  await waitForState(robot, ({ error }) => error?.includes("SIGKILL") ?? false);
  await waitForState(robot, ({ phase }) => phase === "starting");
  await waitForState(robot, ({ error }) => error?.includes("no-such-port cannot be opened") ?? false);
  await robot.close();
  expect(robot.state.phase).toBe("stopped");
});

test("a process that is stopped is reported, and runs on when it continues in time", async () => {
  const { robot, events } = await startAwakeRobot();
  process.kill(robotProcess(), "SIGSTOP");
  await waitForState(robot, ({ phase }) => phase === "error");
  expect(robot.state.error).toMatch(
    /has not responded for 0\.8 s\. It is restarted if it does not respond within 60 s/,
  );
  process.kill(robotProcess(), "SIGCONT");
  await waitForState(robot, ({ phase }) => phase === "running");
  expect(events.map(({ message }) => message)).toContain("The robot's process responds again.");
  expect(await robot.goto({ head: nod, duration: 0.1, method: "linear" })).toBe("finished");
});

test("a process that stays stopped is killed and replaced, and calls that wait say why they failed", async () => {
  const { robot } = await startAwakeRobot({ watchdogMs: 3000 });
  const stopped = robotProcess();
  process.kill(stopped, "SIGSTOP");
  await expect(robot.endAppSession()).rejects.toMatchObject({
    code: "robot-not-ready",
    message: expect.stringMatching(/did not respond for 3 s and was killed\. Another is started/),
  });
  await waitForState(robot, ({ phase, sent }) => phase === "running" && sent !== null);
  expect(robotProcess()).not.toBe(stopped);
});

test("a program that cannot be started for a while is tried again until it can", async () => {
  const folder = temporaryFolder("robot-process-");
  const execPath = join(folder, "node");
  await symlink(process.execPath, execPath);
  const robot = await startRobot({ ...SIMULATED, execPath });
  onTestFinished(() => robot.close());
  await unlink(execPath);
  killRobotProcess();
  await waitForState(robot, ({ error }) => error?.includes("could not be started") ?? false);
  await expect(robot.wakeUp()).rejects.toMatchObject({ code: "robot-not-ready" });
  await symlink(process.execPath, execPath);
  await waitForState(robot, ({ phase }) => phase === "running");
  expect(await robot.wakeUp()).toBe("finished");
});

test("a process that the system refuses to start is an error of the start, not of the program", async () => {
  const env = { PATH: "a\0b" };
  await expect(startRobot({ entry, link: "sim", clock: systemClock, env })).rejects.toMatchObject({
    code: "robot-not-ready",
    message: expect.stringMatching(/could not be started/),
  });
});
