import { afterEach, expect, test } from "vitest";
import { advanceUntil, advanceUntilSettled, ManualClock } from "../../../../common/time/manual-clock.ts";
import { JOINTS } from "../../../../robot/description/joints.ts";
import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import { createLocalLink } from "../../../../sim/link/local-link.ts";
import { reconnectingSimulation } from "../../reconnecting-simulation.ts";
import { RobotController } from "../robot-controller.ts";

/** Seconds from one state to the next. */
const PERIOD = 0.02;
/** Radians between a joint that stands and its goal. */
const STANDING = 0.1;

let stop = async (): Promise<unknown> => undefined;
afterEach(() => stop());

/** A robot that is awake, its simulation, and a function that lets virtual milliseconds pass. */
async function awakeRobot() {
  const clock = new ManualClock();
  const local = reconnectingSimulation(async () => (await createLocalLink({ seed: 1, now: clock.now })).link);
  const robot = new RobotController({ ...local, clock });
  const states: RobotState[] = [];
  const events: string[] = [];
  robot.onState((state) => states.push(state));
  robot.onEvent(({ kind }) => events.push(kind));
  stop = () => advanceUntilSettled(clock, robot.close());
  await advanceUntil(clock, () => robot.state.phase === "running");
  await local.simulation.keepHistory(true);
  const settle = <T>(promise: Promise<T>) => advanceUntilSettled(clock, promise);
  await settle(robot.wakeUp());
  const pass = (ms: number) => clock.advanceAsync(ms);
  const { simulation } = local;
  /** Lets the robot go on, and expects that its antennas move from -0.8 to 0.8 rad without a jump. */
  const goesOn = async () => {
    states.length = 0;
    await simulation.resume();
    await pass(1500);
    expect(robot.state.antennas[0]).toBeCloseTo(0.8, 1);
    expectNoJump(states, -0.8);
    expect(events).not.toContain("antenna_touched");
  };
  return { robot, simulation, events, settle, pass, goesOn };
}

const antennasTo = (angle: number) => ({ head: null, antennas: [angle, -angle], bodyYaw: null }) as const;

/** Expects that the goals begin at `angle` and change within the antennas' limit. The way in these tests is 1.6 rad. */
function expectNoJump(states: readonly RobotState[], angle: number) {
  const goals = states.map(({ sent }) => sent?.antennas[0] ?? Number.NaN);
  expect(Math.abs((goals[0] ?? 0) - angle)).toBeLessThan(STANDING);
  const steps = goals.slice(1).map((goal, index) => Math.abs(goal - (goals[index] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(1.01 * PERIOD * JOINTS[7].maxVelocity);
}

const goto = (robot: RobotController, angle: number) =>
  robot.goto({ ...antennasTo(angle), duration: 0.5, method: "minjerk" });

test("while the robot is paused a move ends in real time; the robot follows when it goes on, without a jump", async () => {
  const { robot, simulation, settle, pass, goesOn } = await awakeRobot();
  await settle(goto(robot, -0.8));
  await pass(500);
  await simulation.pause();
  const { antennas } = robot.state;
  expect(await settle(goto(robot, 0.8))).toBe("finished");
  await pass(5000);
  expect(robot.state.antennas).toEqual(antennas);
  expect(robot.state).toMatchObject({ phase: "running", error: null });

  await goesOn();
});

test("after a rewind goals lead from the posture of then to the present target, without a jump", async () => {
  const { robot, simulation, settle, pass, goesOn } = await awakeRobot();
  await settle(goto(robot, -0.8));
  await pass(500);
  const { time: to } = await simulation.time();
  await settle(goto(robot, 0.8));
  await pass(1000);
  await simulation.rewind({ to });
  await pass(1000);
  expect(robot.state.antennas[0]).toBeCloseTo(-0.8, 1);

  await goesOn();
});

test("after a rewind the motors are as they were then, and the robot stays where it was", async () => {
  const { robot, simulation, events, settle, pass } = await awakeRobot();
  await pass(500);
  const { time: awake } = await simulation.time();
  await settle(robot.goToSleep());
  await pass(1000);
  await simulation.rewind({ to: awake });
  await pass(100);
  const { headPose } = robot.state;
  await simulation.resume();
  await pass(1000);
  expect(robot.state).toMatchObject({ motorMode: "enabled", awake: true, error: null });
  for (const [index, value] of headPose.entries()) expect(robot.state.headPose[index]).toBeCloseTo(value, 1);
  await settle(goto(robot, 0.3));

  await settle(robot.goToSleep());
  await pass(1000);
  const { time: asleep } = await simulation.time();
  await settle(robot.wakeUp());
  await simulation.rewind({ to: asleep });
  await simulation.resume();
  await pass(1000);
  expect(robot.state).toMatchObject({ motorMode: "disabled", awake: false, error: null });
  expect(events).not.toContain("antenna_touched");
  expect(events).not.toContain("fault");
});

test("gravity compensation is found again", async () => {
  const { robot, simulation, settle, pass } = await awakeRobot();
  await settle(robot.setMotorMode("gravity_compensation"));
  await pass(1000);
  await settle(robot.setMotorMode("enabled"));
  await pass(300);
  await simulation.rewind({ seconds: 0.6 });
  await simulation.resume();
  await pass(300);
  expect(robot.state.motorMode).toBe("gravity_compensation");
});

test("sleep waits for a robot that is paused, and closing does not", async () => {
  const { robot, simulation, settle, pass } = await awakeRobot();
  await simulation.pause();
  const asleep = robot.goToSleep();
  await pass(5000);
  expect(robot.state).toMatchObject({ motorMode: "enabled", move: { kind: "goto_sleep" } });
  await simulation.resume();
  expect(await settle(asleep)).toBe("finished");
  expect(robot.state.headPose[11]).toBeLessThan(-0.03);
  await settle(robot.wakeUp());
  await simulation.pause();
  await settle(robot.close());
  expect(robot.state).toMatchObject({ phase: "stopped", motorMode: "disabled" });
});
