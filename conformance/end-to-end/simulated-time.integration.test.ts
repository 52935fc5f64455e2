import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { createTestVenv, type TestVenv } from "../../daemon/apps/testing/test-venv.ts";
import { accessibilityViolations } from "../../daemon/http/testing/accessibility.ts";
import { browserPath, openBrowser } from "../../daemon/http/testing/browser.ts";
import type { SimulatedTime } from "../../robot/wire/scene/simulated-time.ts";
import type { DaemonHandle } from "../runner/daemon/daemon-handle.ts";
import { spawnDaemon } from "../runner/daemon/spawn-daemon.ts";

/** Radians: two ticks of an encoder, and what the daemon lets a standing robot deviate. */
const SAME = 0.004;
const ARRIVED = 0.05;

let environment: TestVenv;
let daemon: DaemonHandle;
beforeAll(async () => {
  environment = await createTestVenv();
  daemon = await spawnDaemon({ dataDir: environment.root, startupApp: null, wakeUpOnStart: true, gracePeriod: 10 });
  await waitFor(
    DEADLINE_MS,
    "the robot is awake",
    async () => (await get<unknown[]>("/api/move/running")).length === 0 && isAwake(),
  );
});
afterAll(async () => {
  await daemon?.close();
  await environment?.remove();
});

const get = async <T>(path: string) => (await (await fetch(daemon.url + path)).json()) as T;
const time = () => get<SimulatedTime>("/api/simulation/time");
const motorMode = async () => (await get<{ mode: string }>("/api/motors/status")).mode;
async function post(path: string, body: object = {}) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(daemon.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as unknown };
}
const simulation = async (what: string, body?: object): Promise<SimulatedTime> => {
  const answer = await post(`/api/simulation/${what}`, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as SimulatedTime;
};
const isAwake = async (): Promise<boolean> => (await motorMode()) === "enabled";
const antennas = () => get<number[]>("/api/state/present_antenna_joint_positions");
/** The antennas in a state that the robot measured after a moment of Unix time, milliseconds. */
const antennasAfter = (moment: number) =>
  waitFor(DEADLINE_MS, "a newer state", async () => {
    const state = await get<{ timestamp: string; antennas_position: number[] }>("/api/state/full");
    return Date.parse(state.timestamp) > moment && state.antennas_position;
  });
const areAt = (wanted: number[], tolerance: number) => async () =>
  (await antennas()).every((angle, i) => Math.abs(angle - (wanted[i] ?? 0)) < tolerance);

test("pause, step, rewind by 2 s to the pose of then, and go on to the present target", async () => {
  expect((await simulation("history")).kept).not.toBeNull();
  await post("/api/move/goto", { antennas: [0.6, -0.6], duration: 0.5 });
  await waitFor(DEADLINE_MS, "the antennas are up", areAt([0.6, -0.6], ARRIVED));
  const then = await simulation("pause");
  const poseOfThen = await antennasAfter(Date.now());

  await simulation("resume");
  await post("/api/move/goto", { antennas: [-0.5, 0.5], duration: 0.5 });
  await waitFor(DEADLINE_MS, "the antennas are down", areAt([-0.5, 0.5], ARRIVED));
  const later = await simulation("pause");
  // So many steps that it is 2 s later to the step of the engine, as far as that is still to come.
  if (later.time < then.time + 2) {
    for (let left = then.time + 2 - later.time; left > 0.001; left -= 1)
      await simulation("step", { seconds: Math.min(1, left) });
  }
  const seconds = Number(((await time()).time - then.time).toFixed(4));
  const rewound = await simulation("rewind", { seconds });
  expect(rewound).toMatchObject({ paused: true, time: expect.closeTo(then.time, 6) });
  await waitFor(DEADLINE_MS, "the pose is that of then", areAt(poseOfThen, SAME));

  expect(await simulation("resume")).toMatchObject({ paused: false });
  await waitFor(DEADLINE_MS, "the present target acts again", areAt([-0.5, 0.5], ARRIVED));
  expect(await isAwake()).toBe(true);
});

test("what cannot be is refused with value, range and next step", async () => {
  const refusal = async (what: string, body: object) => {
    const { status, body: problem } = await post(`/api/simulation/${what}`, body);
    return `${status} ${(problem as { detail: string }).detail}`;
  };
  expect(await refusal("rewind", { seconds: 31 })).toMatch(/^422 .*above 0 and at most 30/);
  expect(await refusal("rewind", { to: -5 })).toMatch(/^422 .*-5 s of its time: the moments from .* are kept/);
  expect(await refusal("rewind", {})).toMatch(/^422 .*Send either "seconds"/);
  expect(await refusal("resume", { speed: 5 })).toMatch(/^422 .*speed.*1/);
  expect(await refusal("step", { seconds: 0 })).toMatch(/^422 .*seconds.*0.0025/);
  expect((await time()).paused).toBe(false);
});

describe.skipIf(browserPath === undefined)("the dashboard, in a real browser", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser(browserPath ?? "");
    context = await browser.newContext();
    context.setDefaultTimeout(DEADLINE_MS);
    // What the robot looks like is the viewer's business, and drawing it without a graphics card is slow.
    await context.route(/\/viewer-[^/]*\.js$/, (route) => route.abort());
    page = await context.newPage();
    await page.goto(daemon.url);
  });
  afterAll(() => browser?.close());

  test("pauses, goes back by the keyboard, and goes on; another page follows; axe finds nothing", async () => {
    const card = page.getByRole("region", { name: "Time of the simulation" });
    await card.locator("summary").click();
    await card.getByRole("button", { name: "Pause" }).click();
    await card.getByText("paused", { exact: true }).waitFor();
    const { kept } = await time();
    const slider = card.getByRole("slider", { name: "Moment" });
    await slider.focus();
    for (let count = 0; count < 5; count += 1) await slider.press("ArrowLeft");
    await card.getByText("0.5 s ago").waitFor();
    await expect.poll(async () => (await time()).time).toBeCloseTo((kept?.latest ?? 0) - 0.55, 0.5);
    expect(await accessibilityViolations(page, "paused")).toEqual([]);

    const other = await context.newPage();
    await other.goto(daemon.url);
    await other.getByRole("region", { name: "Time of the simulation" }).getByText("paused", { exact: true }).waitFor();
    await other.close();

    await card.getByRole("combobox", { name: "Speed" }).selectOption("0.5× speed");
    expect((await time()).paused).toBe(true);
    await card.getByRole("button", { name: "Go on from here" }).click();
    await card.getByRole("button", { name: "Pause" }).waitFor();
    expect(await time()).toMatchObject({ paused: false, speed: 0.5 });
    await simulation("pause");
    await card.getByText("paused", { exact: true }).waitFor();
    await simulation("resume", { speed: 1 });
    await card.getByText("paused", { exact: true }).waitFor({ state: "hidden" });
  });
});

test("a robot that is told to sleep while it is paused sleeps when it goes on; the daemon ends while it is paused", async () => {
  await simulation("pause");
  await post("/api/move/play/goto_sleep");
  expect(await isAwake()).toBe(true);
  await simulation("resume");
  await waitFor(DEADLINE_MS, "the robot sleeps", async () => (await motorMode()) === "disabled");
  await post("/api/move/play/wake_up");
  await waitFor(DEADLINE_MS, "the robot is awake", isAwake);
  await simulation("pause");
  daemon.signal("SIGTERM");
  expect(await daemon.exited()).toBe(0);
});
