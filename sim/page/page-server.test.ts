import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import type { ObjectsFrame } from "../../robot/wire/scene/scene-frame.ts";
import { createLocalLink, type LocalLink } from "../link/local-link.ts";
import type { PageFrame } from "./page-frame.ts";
import { type Page, servePage } from "./page-server.ts";

let local: LocalLink;
let page: Page;
let folder: string;
let clock = 0;

beforeEach(async () => {
  clock = 0;
  folder = temporaryFolder("robot-sim-page-");
  await writeFile(join(folder, "index.html"), "<title>the page</title>");
  local = await createLocalLink({ seed: 1 });
  page = await servePage({ local, address: "/dev/robot", folder, port: 0, now: () => clock });
  await local.link.watch(50);
});

afterEach(async () => {
  await page.close();
  await local.link.close();
});

/** Advances simulated time and the page's clock together. */
function run(seconds: number): void {
  for (let left = seconds; left > 0; left -= 0.02) {
    local.advance(0.02);
    clock += 20;
  }
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(new URL(path, page.url), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** The page's events from now on. */
async function* events(): AsyncGenerator<{ name: string; data: unknown }> {
  const { body } = await fetch(new URL("events", page.url));
  let text = "";
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      if (name !== undefined) yield { name, data: JSON.parse(data ?? "") };
    }
  }
}

/** The data of the next event with this name; skips others. */
async function next<T>(stream: ReturnType<typeof events>, name: string): Promise<T> {
  for (;;) {
    const { value, done } = await stream.next();
    if (done === true) throw new Error(`the stream ended before an event "${name}"`);
    if (value.name === name) return value.data as T;
  }
}

describe("the page", () => {
  test("is served with the robot's address, its motion and notices", async () => {
    expect(await (await fetch(page.url)).text()).toContain("the page");
    const stream = events();
    expect((await stream.next()).value).toEqual({ name: "robot", data: { address: "/dev/robot" } });
    const first = await next<PageFrame>(stream, "frame");
    expect(first).toMatchObject({ t: 0, glow: "off", plugged: true });
    expect([first.joints.length, first.head.length]).toEqual([9, 16]);
    run(0.1);
    expect((await next<PageFrame>(stream, "frame")).t).toBeGreaterThan(0);
    page.report("something happened");
    expect(await next(stream, "notice")).toEqual({ text: "something happened" });
    expect(await next(stream, "told")).toEqual({ text: "something happened" });
  });

  test("starts and ends a push", async () => {
    const before = local.robot.physics.posture().joints[8] ?? 0;
    const push = { body: "left_antenna", force: [0.4, 0, 0] };
    expect((await post("push", { push, seconds: 2 })).status).toBe(204);
    run(0.3);
    expect(Math.abs((local.robot.physics.posture().joints[8] ?? 0) - before)).toBeGreaterThan(0.2);
    expect((await post("push", { push: null })).status).toBe(204);
  });

  test("adds faults whose times count from now, and ends them", async () => {
    run(1);
    expect((await post("faults", { fault: "silent:servo=11,for=1" })).status).toBe(204);
    const [, servo] = local.robot.servos.servos;
    run(0.5);
    expect(servo?.faultState.silent).toBe(true);
    run(1);
    expect(servo?.faultState.silent).toBe(false);
    await post("faults", { fault: "unplug" });
    expect(local.robot.isPlugged).toBe(false);
    await fetch(new URL("faults", page.url), { method: "DELETE" });
    expect(local.robot.isPlugged).toBe(true);
  });

  test("adds an object, sends its pose while it moves, and removes it", async () => {
    const stream = events();
    expect(await next<ObjectsFrame>(stream, "objects")).toEqual({ t: 0, objects: [] });
    const ball = { name: "a ball", shape: { kind: "ball", radius: 0.02 }, mass: 0.05, position: [0.2, 0, 0.1] };
    expect((await post("objects", ball)).status).toBe(204);
    run(0.02);
    const seen = () => next<ObjectsFrame>(stream, "objects");
    expect((await seen()).objects).toMatchObject([{ name: "a ball", shape: ball.shape }]);
    const lift = { push: { body: "a ball", towards: [0.2, 0.1, 0.15] }, seconds: 2 };
    expect((await post("push", lift)).status).toBe(204);
    for (let moment = 0; moment < 50; moment += 1) {
      run(0.02);
      await Promise.resolve(); // lets the scene arrive
    }
    let { objects } = await seen();
    while ((objects[0]?.pose[2] ?? 0) < 0.149) ({ objects } = await seen());
    while ((objects[0]?.pose[1] ?? 0) < 0.099) ({ objects } = await seen());
    expect((await fetch(new URL("objects/a%20ball", page.url), { method: "DELETE" })).status).toBe(204);
    run(0.02);
    while (objects.length > 0) ({ objects } = await seen());
  });

  test("resets the robot", async () => {
    const { joints } = local.robot.physics.posture();
    await post("push", { push: { body: "left_antenna", force: [0.4, 0, 0] }, seconds: 2 });
    run(0.3);
    await post("reset", {});
    expect(local.robot.physics.posture().joints).toEqual(joints);
  });
});

const BOX = { name: "b", shape: { kind: "box", size: [0.1, 0.1, 0.1] }, mass: 0.1, position: [0.3, 0, 0.1] };

describe("refuses", () => {
  test.each([
    ["an unknown body", "push", { push: { body: "tail", force: [1, 0, 0] } }, 422, /no body "tail"; there are/],
    ["a force with two components", "push", { push: { body: "head", force: [1, 0] } }, 422, /push\.force/],
    ["a push without force and target", "push", { push: { body: "head" } }, 422, /either "force".* or "towards"/],
    [
      "a color that is none",
      "objects",
      { ...BOX, color: "red" },
      422,
      /body.color is "red"; it must be like "#e2603a"/,
    ],
    ["an object without a mass", "objects", { name: "b", shape: { kind: "ball", radius: 0.1 } }, 422, /mass/],
    ["an unknown fault", "faults", { fault: "dorp" }, 400, /no fault "dorp"; there are drop/],
  ])("%s", async (_, path, body, status, detail) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) });
  });

  test("a request from a page of another site", async () => {
    expect((await post("faults", { fault: "unplug" }, { origin: "http://evil.example" })).status).toBe(403);
    expect(local.robot.isPlugged).toBe(true);
  });

  test("a request with another host name", async () => {
    const status = await new Promise((resolve, reject) => {
      request(page.url, { headers: { host: "evil.example" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(421);
  });

  test("a port that is in use", async () => {
    const { port } = new URL(page.url);
    const again = servePage({ local, address: "", folder, port: Number(port), now: () => 0 });
    await expect(again).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("--viewer-port 0") });
  });
});
