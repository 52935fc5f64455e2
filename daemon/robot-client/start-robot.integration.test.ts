import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants, userInfo } from "node:os";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { commandOf, ProcessTable } from "../../common/machine/process-table.ts";
import { readIfPresent } from "../../common/machine/read-if-present.ts";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { systemClock } from "../../common/time/clock.ts";
import { IDENTITY } from "../../robot/kinematics/pose.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import { startRobot } from "./start-robot.ts";

const entry = new URL("../../dist/programs/robot-process/main.js", import.meta.url);
const clockModule = new URL("../../dist/common/time/clock.js", import.meta.url);
const startModule = new URL("../../dist/daemon/robot-client/start-robot.js", import.meta.url);
/** A process that gets no processor for a while, as on a busy machine, is not killed. */
const SIMULATED = { entry, link: "sim", clock: systemClock, watchdogMs: DEADLINE_MS };

beforeAll(() => {
  if (!existsSync(fileURLToPath(entry))) throw new Error(`${entry.pathname} is missing: run npm run build first`);
});

describe("the robot in a process of its own", () => {
  test("moves, shows its simulated world, refuses what the robot process refuses, and ends with close", async () => {
    const robot = await startRobot(SIMULATED);
    try {
      expect(robot.state).toMatchObject({ phase: "running", awake: false });
      expect(await robot.wakeUp()).toBe("finished");
      expect(robot.state).toMatchObject({ awake: true, motorMode: "enabled" });
      await robot.setTarget({ bodyYaw: 0.1 }, "with-state");
      await expect(robot.goto({ head: IDENTITY, duration: 9999, method: "linear" })).rejects.toMatchObject({
        code: "target-refused",
      });
      const world = robot.simulation!;
      const scene = new Promise<Scene>((resolve) => world.onScene(resolve));
      await world.addObject({
        name: "ball",
        shape: { kind: "ball", radius: 0.02 },
        mass: 0.1,
        position: [0.2, 0, 0.1],
      });
      await world.watch(30);
      expect((await scene).names).toContain("ball");
      expect((await scene).poses).toBeInstanceOf(Float32Array);
      await expect(world.removeObject("cube")).rejects.toMatchObject({ code: "bad-request" });
    } finally {
      await robot.close();
    }
    expect(robot.state.phase).toBe("stopped");
    await expect(robot.wakeUp()).rejects.toMatchObject({ code: "robot-not-ready" });
  });

  test("has a session of its own, with a high priority where the user may have one", async ({ skip }) => {
    const robot = await startRobot(SIMULATED);
    try {
      const children = ProcessTable.readSync().childrenOf(process.pid);
      const found = children.find(({ pid }) => commandOf(pid).includes(fileURLToPath(entry)));
      if (found === undefined) return skip("command lines cannot be seen here");
      expect(found.group).toBe(found.pid);
      const autogroup = await readIfPresent(`/proc/${found.pid}/autogroup`);
      if (userInfo().uid !== 0 || autogroup === null)
        return skip("needs root, and a system that shares among sessions");
      expect(autogroup).toContain(`nice ${constants.priority.PRIORITY_HIGH}`);
    } finally {
      await robot.close();
    }
  });

  test("what happens before anyone listens waits for the first listener", async () => {
    const robot = await startRobot({ ...SIMULATED, supply: 7.3 });
    try {
      const reported = await new Promise<RobotEvent>((resolve) => {
        robot.onEvent((event) => event.kind === "supply" && resolve(event));
      });
      expect(reported).toMatchObject({ level: "warning", message: expect.stringContaining("nothing is wrong") });
    } finally {
      await robot.close();
    }
  });

  test("a missing physical robot is reported, and the start does not wait for it", async () => {
    const robot = await startRobot({ ...SIMULATED, link: "serial:/dev/no-such-port" });
    expect(robot.state.phase).toBe("error");
    expect(robot.state.error).toMatch(/\/dev\/no-such-port cannot be opened.*--sim/);
    await robot.close();
  });

  test("a process that does not start is an error", async () => {
    const missing = new URL("no-such-file.js", entry);
    await expect(startRobot({ ...SIMULATED, entry: missing })).rejects.toMatchObject({
      code: "robot-not-ready",
    });
  });

  test("when the daemon is killed, the app's group and the robot's process end by themselves", async () => {
    // The app ignores SIGINT; all three processes share one standard output, which closes when the last has ended.
    const daemon = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { spawn } from "node:child_process";
         import { startRobot } from "${startModule}";
         import { systemClock } from "${clockModule}";
         const robot = await startRobot({ entry: new URL("${entry}"), link: "sim", clock: systemClock, watchdogMs: ${DEADLINE_MS} });
         await robot.wakeUp();
         const script = "process.on('SIGINT', () => {}); console.log('ready'); setInterval(() => {}, 1000)";
         const app = spawn(process.execPath, ["-e", script], { detached: true, stdio: "inherit" });
         await robot.beginAppSession({ pid: app.pid });
         setInterval(() => {}, 1000);`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(daemon.stdout, "data");
    daemon.kill("SIGKILL");
    await once(daemon, "close");
    expect(daemon.signalCode).toBe("SIGKILL");
  });
});
