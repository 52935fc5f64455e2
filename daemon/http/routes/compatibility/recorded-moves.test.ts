import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEADLINE_MS } from "../../../../common/testing/deadline.ts";
import { waitFor } from "../../../../common/time/wait-for.ts";
import { BUILT_IN_MOVES } from "../../../moves/built-in-moves.ts";
import { startTestDaemon, type TestDaemon } from "../../testing/test-daemon.ts";

const LIST = "/api/move/recorded-move-datasets/list";
const PLAY = "/api/move/play/recorded-move-dataset";
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
let daemon: TestDaemon;

const running = () => daemon.json<{ uuid: string }[]>("/api/move/running");

beforeAll(async () => {
  daemon = await startTestDaemon([]);
  await daemon.json("/api/move/play/wake_up", "POST");
  await waitFor(DEADLINE_MS, "the robot awake", async () => (await running()).length === 0);
});
afterAll(() => daemon.close());

test("the built-in moves are listed, and move the robot", async () => {
  const names = await daemon.json<string[]>(`${LIST}/built-in`);
  expect(names).toEqual(Object.keys(BUILT_IN_MOVES));
  const { uuid } = await daemon.json<{ uuid: string }>(`${PLAY}/built-in/cheer`, "POST");
  expect(await running()).toEqual([{ uuid }]);
  await waitFor(DEADLINE_MS, "an antenna far from its default", async () => {
    const [right = 0] = await daemon.json<number[]>("/api/state/present_antenna_joint_positions");
    return Math.abs(right) > 0.5;
  });
  await waitFor(DEADLINE_MS, "the end of the move", async () => (await running()).length === 0);
});

test("moves of a folder in the data folder are listed and played", async () => {
  const folder = path.join(daemon.dataDir, "moves", "somebody", "dances", "data");
  await mkdir(folder, { recursive: true });
  const frame = (bodyYaw: number) => ({ head: IDENTITY, antennas: [0, 0], body_yaw: bodyYaw, check_collision: false });
  const move = { description: "turns", time: [0, 0.5], set_target_data: [frame(0), frame(0.4)] };
  await writeFile(path.join(folder, "turn.json"), JSON.stringify(move));
  await writeFile(path.join(folder, "broken.json"), JSON.stringify({ ...move, time: [1, 0] }));
  expect(await daemon.json(`${LIST}/somebody/dances`)).toEqual(["broken", "turn"]);
  await daemon.json(`${PLAY}/somebody/dances/turn`, "POST");
  await waitFor(DEADLINE_MS, "the body turned", async () => {
    return Math.abs((await daemon.json<number>("/api/state/present_body_yaw")) - 0.4) < 0.03;
  });
  expect(await daemon.json(`${PLAY}/somebody/dances/broken`, "POST")).toMatchObject({ status: 422 });
});

test("unknown moves and data sets are 404, with what there is; a path out of the folder is no data set", async () => {
  expect(await daemon.json(`${PLAY}/built-in/leap`, "POST")).toMatchObject({
    status: 404,
    detail: expect.stringContaining("nod, shake"),
  });
  expect(await daemon.json(`${LIST}/nothing`)).toMatchObject({ status: 404 });
  // The hub of this test does not answer.
  expect(await daemon.json(`${LIST}/nobody/nothing`)).toMatchObject({ status: 503, code: "hub-unreachable" });
  expect(await daemon.json(`${LIST}/..%2F..`)).toMatchObject({ status: 404 });
});
