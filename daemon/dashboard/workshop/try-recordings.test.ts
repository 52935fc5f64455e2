import { expect, test } from "vitest";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { durationOf, plotColumns, sampleAt, type TryRecording, TryRecordings } from "./try-recordings.ts";

const running = (since: number) => ({ state: "running", trial: true, since }) as AppStatus;
const RUNS = running(1);
const at = (timestamp: number, yaw = 0) => ({ timestamp, headPose: [yaw], headJoints: [0], antennas: [yaw, 0] });
const recordingOf = (...times: number[]): TryRecording => ({
  id: 1,
  changes: [],
  samples: times.map((time) => at(time, time)),
});

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
  expect(recordings.list.value.map(durationOf)).toEqual([20, 20, 20, 20, 20, 20]);
});

test("a try that never moved is no recording", () => {
  const recordings = new TryRecordings();
  recordings.begin([]);
  recordings.receive(at(1), null);
  recordings.end();
  expect(recordings.list.value).toEqual([]);
});

test("the sample at a time is the last one before it", () => {
  const recording = recordingOf(0, 1, 2);
  expect([0, 0.9, 1, 1.5, 9].map((time) => sampleAt(recording, time)?.timestamp)).toEqual([0, 0, 1, 1, 2]);
});

test("the plot has both tries on the times of the longer one, with a gap after the shorter", () => {
  const [times, first, second] = plotColumns(recordingOf(0, 1), recordingOf(0, 1, 2), ([yaw = 0]) => yaw);
  expect(times).toEqual([0, 1, 2]);
  expect(first?.map((value) => value?.toFixed(0))).toEqual(["0", "57", undefined]);
  expect(second?.map((value) => value?.toFixed(0))).toEqual(["0", "57", "115"]);
});
