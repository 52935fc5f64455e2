import fc from "fast-check";
import { expect, test } from "vitest";
import { ManualClock } from "../../../../common/time/manual-clock.ts";
import { IDENTITY, poseFromRpy } from "../../../../robot/kinematics/pose.ts";
import type { Target } from "../../../../robot/wire/robot/target.ts";
import { mergeTargets } from "../../../robot-client/merge-targets.ts";
import { TargetStore } from "../../../robot-process/control/loop/target-store.ts";
import { Scope } from "../../connections/scope.ts";
import { TargetQueue } from "./target-queue.ts";

/** A queue to a robot that answers when the test resolves `answers`. */
function createQueue() {
  const clock = new ManualClock();
  const scope = new Scope();
  const sent: Target[] = [];
  const refused: unknown[] = [];
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const robot = {
    setTarget: (target: Target) => {
      sent.push(target);
      return new Promise<void>((resolve, reject) => void answers.push({ resolve, reject }));
    },
  };
  const queue = new TargetQueue({ robot, clock, scope, onRefused: (error) => void refused.push(error) });
  return { clock, scope, sent, refused, answers, queue };
}

test("a target is sent immediately when the robot has answered the one before", async () => {
  const { clock, sent, answers, queue } = createQueue();
  for (let i = 1; i <= 3; i += 1) {
    queue.add({ antennas: [i, i] });
    expect(sent).toHaveLength(i);
    answers[i - 1]?.resolve();
    await clock.advanceAsync(20);
  }
});

test("targets are merged into one while the robot has not answered; a robot that does not answer gets no more", async () => {
  const { clock, sent, answers, queue } = createQueue();
  for (let i = 0; i < 10_000; i += 1) queue.add({ antennas: [i, i] });
  await clock.advanceAsync(5000);
  expect(sent).toEqual([{ antennas: [0, 0] }]);
  answers[0]?.resolve();
  await clock.advanceAsync(0);
  expect(sent[1]).toMatchObject({ antennas: [9999, 9999] });
  answers[1]?.resolve();
  await clock.advanceAsync(5000);
  expect(sent).toHaveLength(2);
});

test("however fast the targets come, they are sent 2 ms apart", async () => {
  const { clock, sent, answers, queue } = createQueue();
  for (let i = 0; i < 100; i += 1) {
    queue.add({ antennas: [i, i] });
    answers.at(-1)?.resolve();
    await clock.advanceAsync(0.5);
  }
  expect(sent.length).toBeLessThanOrEqual(26);
});

test("the waiting target is sent before a later call", () => {
  const { sent, queue } = createQueue();
  queue.add({ antennas: [1, 1] });
  queue.add({ antennas: [2, 2] });
  queue.flush();
  expect(sent.map(({ antennas }) => antennas)).toEqual([
    [1, 1],
    [2, 2],
  ]);
  queue.flush();
  expect(sent).toHaveLength(2);
});

test("a refusal is reported, and the next target is sent", async () => {
  const { clock, sent, refused, answers, queue } = createQueue();
  queue.add({ antennas: [1, 1] });
  answers[0]?.reject(new Error("the motors are off"));
  await clock.advanceAsync(20);
  expect(refused).toEqual([new Error("the motors are off")]);
  queue.add({ antennas: [2, 2] });
  expect(sent).toHaveLength(2);
});

test("nothing is sent after the connection has closed", async () => {
  const { clock, scope, sent, answers, queue } = createQueue();
  queue.add({ antennas: [1, 1] });
  queue.add({ antennas: [2, 2] });
  scope.close();
  answers[0]?.resolve();
  await clock.advanceAsync(1000);
  expect(sent).toHaveLength(1);
});

/** A goal to 1e-9 metres and radians: a pose that is parsed twice may differ in its last bits. */
function rounded({ goal }: TargetStore): (number | null)[] {
  const numbers = goal === undefined ? [] : [...goal.head, ...goal.antennas, goal.bodyYaw ?? null];
  return numbers.map((number) => (number === null ? null : Math.round(number * 1e9) / 1e9 + 0));
}

test("a merged target has the same goal as its targets one after another", () => {
  const angle = fc.double({ min: -0.5, max: 0.5, noNaN: true });
  const target = fc.record<Target>({
    head: fc.option(angle.map((pitch) => [...poseFromRpy([0, 0, 0], { roll: 0, pitch, yaw: 0 })])),
    antennas: fc.option(fc.tuple(angle, angle)),
    bodyYaw: fc.option(angle),
  });
  const start = { head: IDENTITY, antennas: [0, 0], bodyYaw: 0 } as const;
  fc.assert(
    fc.property(fc.array(target, { minLength: 1, maxLength: 6 }), (targets) => {
      const [oneByOne, merged] = [new TargetStore(() => {}), new TargetStore(() => {})];
      for (const one of targets) oneByOne.accept(one, start);
      merged.accept(targets.reduce(mergeTargets), start);
      expect(rounded(merged)).toEqual(rounded(oneByOne));
    }),
  );
});
