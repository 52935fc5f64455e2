import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { ManualClock } from "../../common/time/manual-clock.ts";
import { createLocalLink } from "../../sim/link/local-link.ts";
import { serveTestRobot } from "./serve-test-robot.ts";
import { type Report, TestRobot } from "./test-robot.ts";

async function parts() {
  const clock = new ManualClock();
  const { link: simulation } = await createLocalLink({ seed: 1, now: clock.now, speed: "on-demand" });
  return { clock, simulation, version: "0" };
}

const start = async () => TestRobot.create(await parts());

/** Advances to a time; the reports until then. */
async function run(robot: TestRobot, time: number): Promise<Report> {
  const all: Report = { time: 0, messages: [], events: [] };
  do {
    await robot.advanceTo(time);
    const { messages, events } = robot.takeReport();
    all.messages.push(...messages);
    all.events.push(...events);
  } while (robot.time < time - 1e-6);
  return { ...all, time: robot.time };
}

const typesOf = ({ messages }: Report) => new Set(messages.map(([, text]) => JSON.parse(text).type));

test("stands still until its time is advanced, to the first message at most", async () => {
  const robot = await start();
  expect(robot.takeReport()).toEqual({ time: 0, messages: [], events: [] });
  robot.connect("robot-sdk/0");
  expect(typesOf(robot.takeReport())).toEqual(new Set(["joint_positions", "head_pose", "daemon_status"]));
  await robot.advanceTo(5);
  expect(robot.time).toBeLessThan(0.05);
  const { messages } = await run(robot, 1.04);
  expect(messages.filter(([, text]) => text.includes("head_pose")).length).toBeGreaterThan(45);
});

test("carries out messages of the app, and says when a move has ended", async () => {
  const robot = await start();
  robot.connect("robot-sdk/0");
  robot.receive(JSON.stringify({ type: "task", uuid: "u", req: { head: null, antennas: [0.5, 0.5], duration: 1 } }));
  const { messages, events } = await run(robot, 1.5);
  const [time, text] = messages.find(([, each]) => each.includes("task_progress")) ?? [];
  expect(time).toBeCloseTo(1, 1);
  expect(JSON.parse(text ?? "")).toMatchObject({ uuid: "u", finished: true, error: null });
  expect(events.map(([, { message }]) => message)).toContain("Move goto has arrived.");
  robot.receive("{}");
  const refused = robot.takeReport();
  expect(typesOf(refused)).toContain("error");
  expect(refused.events[0]?.[1].message).toMatch(/^The app sent a message that is refused: /);
});

test("an antenna feels a touch, and the end of the app returns the robot", async () => {
  const robot = await start();
  robot.connect("robot-sdk/0");
  await run(robot, 1.5);
  await robot.touch("left");
  expect(typesOf(await run(robot, 2))).toContain("antenna_touched");
  robot.endAppSession();
  const { events } = await run(robot, 4);
  expect(events.map(([, { message }]) => message)).toContain("Move return_to_default has arrived.");
});

test.each(['{"advance":0,"touch":"middle"}', '{"advance":-1}', "{"])("a request is refused: %s", async (line) => {
  const served = serveTestRobot({ ...(await parts()), input: Readable.from([line]), print: () => undefined });
  await expect(served).rejects.toMatchObject({ code: "bad-request" });
});

test("the same calls give the same messages", async () => {
  const reports = await Promise.all(
    [1, 2].map(async () => {
      const robot = await start();
      robot.connect("robot-sdk/0");
      robot.receive(JSON.stringify({ type: "set_full_target", antennas: [0.5, -0.5] }));
      const report = await run(robot, 1);
      expect(robot.robot.state.antennas[0]).toBeCloseTo(0.5, 1);
      return report;
    }),
  );
  expect(reports[0]).toEqual(reports[1]);
});
