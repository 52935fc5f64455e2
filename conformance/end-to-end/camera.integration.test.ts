import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { digestOf } from "../../daemon/apps/install/fetch/digest.ts";
import { createTestVenv, type TestVenv } from "../../daemon/apps/testing/test-venv.ts";
import { decodePicture } from "../../daemon/camera/pictures/codecs.ts";
import { HEAD_CAMERA_LENS } from "../../robot/camera/lens.ts";
import { projectPoint } from "../../robot/camera/projection.ts";
import { cameraAtPose } from "../../robot/camera/testing/camera-at-pose.ts";
import type { Pose, Vec3 } from "../../robot/description/frames.ts";
import { HEAD_HEIGHT } from "../../robot/description/geometry.ts";
import { colourOf } from "../../robot/wire/scene/scene-frame.ts";
import type { DaemonHandle } from "../runner/daemon/daemon-handle.ts";
import { spawnDaemon } from "../runner/daemon/spawn-daemon.ts";

const BALL = { name: "ball 1", shape: { kind: "ball", radius: 0.04 }, mass: 0.2, position: [0.6, -0.1, 0.04] } as const;

/** Looks at the ball with a turned head, and prints where it sees the ball's colour, and the head's pose there. */
const SEE = `
import json, sys, time
import numpy as np
from robot_sdk import Robot
from robot_sdk.utils import create_head_pose

with Robot(sys.argv[1]) as robot:
    robot.goto_target(head=create_head_pose(yaw=-10, pitch=10), duration=0.5)
    blue, green, red = json.loads(sys.argv[2])
    deadline = time.monotonic() + 30
    while True:
        before = robot.get_current_head_pose()
        frame = robot.get_frame()
        pose = robot.get_current_head_pose()
        assert frame is not None and frame.shape == (720, 1280, 3) and frame.dtype == np.uint8
        # The ball's colour, bright or dark: its proportions of blue, green and red.
        share = frame / np.maximum(frame.sum(axis=2, keepdims=True), 1)
        wanted = np.array([blue, green, red]) / (blue + green + red)
        rows, columns = np.nonzero(np.abs(share - wanted).max(axis=2) < 0.02)
        # A head that has just arrived still moves: radians and metres.
        is_still = np.abs(pose - before).max() < 0.003
        if (len(rows) > 500 and is_still) or time.monotonic() > deadline:
            break
    seen = [int(columns.min()), int(columns.max()), int(rows.min()), int(rows.max())]
    print(json.dumps({"seen": seen, "pose": pose.flatten().tolist()}))
`;

/** Reads three frames of the stream, as any program can, and prints them. */
const STREAM = `
import base64, sys, urllib.request

with urllib.request.urlopen(sys.argv[1] + "/api/camera/stream?width=320", timeout=30) as stream:
    assert stream.headers.get_content_type() == "multipart/x-mixed-replace"
    boundary = b"--" + stream.headers.get_boundary().encode()
    for _ in range(3):
        assert stream.readline().strip() == boundary
        length = 0
        while (line := stream.readline().strip()):
            name, _, value = line.decode().partition(": ")
            length = int(value) if name == "Content-Length" else length
        print(base64.b64encode(stream.read(length)).decode())
        assert stream.readline() == b"\\r\\n"
`;

let environment: TestVenv;
let daemon: DaemonHandle;
const python = async (script: string, ...args: string[]) => {
  const executable = join(environment.venv, "bin/python");
  const options = { timeout: 60_000, maxBuffer: 10_000_000 };
  return (await promisify(execFile)(executable, ["-c", script, daemon.url, ...args], options)).stdout.trim();
};

beforeAll(async () => {
  environment = await createTestVenv();
  await environment.addSdk();
  await writeFile(join(environment.venv, "robot-sdk.json"), JSON.stringify({ sdk: await digestOf(resolve("sdk")) }));
  await symlink(environment.venv, join(environment.root, "apps_venv"));
  daemon = await spawnDaemon({ dataDir: environment.root, startupApp: null, wakeUpOnStart: true, gracePeriod: 10 });
  const response = await fetch(`${daemon.url}/api/simulation/objects`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(BALL),
  });
  expect(response.status).toBe(200);
});
afterAll(async () => {
  await daemon?.close();
  await environment?.remove();
});

test("a Python program sees an object where it is, from where its head is", async () => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colourOf(BALL).slice(at, at + 2), 16));
  const { seen, pose } = JSON.parse(await python(SEE, JSON.stringify([blue, green, red]))) as {
    seen: [number, number, number, number];
    pose: number[];
  };
  // The SDK's poses are relative to the neutral head.
  const head = pose.map((value, i) => (i === 11 ? value + HEAD_HEIGHT : value)) as unknown as Pose;
  const camera = cameraAtPose(head);
  const [u = 0, v = 0] = projectPoint(HEAD_CAMERA_LENS, camera, BALL.position as Vec3) ?? [];
  const [left, right, top, bottom] = seen;
  // Half a pixel, and what the head moves between picture and pose.
  expect(Math.abs((left + right) / 2 - u)).toBeLessThan(8);
  expect(Math.abs((top + bottom) / 2 - v)).toBeLessThan(8);
  const metres = Math.hypot(...BALL.position.map((value, i) => value - (camera.position[i] ?? 0)));
  expect(Math.abs(right - left - (2 * BALL.shape.radius * HEAD_CAMERA_LENS.fx) / metres)).toBeLessThan(8);
});

test("any program can read the stream of frames", async () => {
  const frames = (await python(STREAM)).split("\n");
  expect(frames).toHaveLength(3);
  for (const frame of frames)
    expect(decodePicture(Buffer.from(frame, "base64"))).toMatchObject({ width: 320, height: 180 });
});
