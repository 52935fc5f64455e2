import { expect, test } from "vitest";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import { motionDuration } from "../../ui/motion/motion.ts";
import { TryRecordings } from "./try-recordings.ts";

const running = (since: number) => ({ state: "running", trial: true, since }) as AppStatus;
const RUNS = running(1);
const at = (timestamp: number, yaw = 0) => ({ timestamp, headPose: [yaw], headJoints: [0], antennas: [yaw, 0] });

test("a recording begins when the try is connected, and ends with it", () => {
  const recordings = new TryRecordings();
  recordings.begin([{ name: "a", text: "1" }]);
  recordings.receive(at(99), { state: "running" } as AppStatus);
  recordings.receive(at(100), RUNS);
  expect(recordings.count.value).toBe(0);
  recordings.receive(at(100.02), RUNS);
  expect(recordings.count.value).toBe(1);
  recordings.receive(at(100.04), { state: "done", trial: true } as AppStatus);
  recordings.receive(at(100.06), RUNS);
  expect(recordings.list.value).toHaveLength(1);
  expect(recordings.list.value[0]?.changes).toEqual([{ name: "a", text: "1" }]);
  expect(recordings.list.value[0]?.samples.map(({ timestamp }) => timestamp.toFixed(2))).toEqual(["0.00", "0.02"]);
});

test("the next try ends the one before; the oldest are forgotten, and long ones are cut", () => {
  const recordings = new TryRecordings();
  for (let round = 0; round < 8; round += 1) {
    recordings.begin([]);
    // The run before goes on for a moment.
    recordings.receive(at(100 * round - 1), running(round - 1));
    for (let time = 0; time < 30; time += 1) recordings.receive(at(100 * round + time), running(round));
  }
  recordings.end();
  expect(recordings.list.value.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8]);
  expect(recordings.list.value.map(motionDuration)).toEqual([20, 20, 20, 20, 20, 20]);
});

test("a try that never ran is no recording", () => {
  const recordings = new TryRecordings();
  recordings.begin([]);
  recordings.receive(at(1), null);
  recordings.end();
  expect(recordings.list.value).toEqual([]);
});
