import assert from "node:assert/strict";
import { commandOf, type ProcessIdentity, ProcessTable } from "../../../common/machine/process-table.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import { measured } from "../support/joints.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

const start = (world: ScenarioWorld, app: string) => world.request("POST", `/api/apps/start-app/${app}`);
const stop = (world: ScenarioWorld) => world.request("POST", "/api/apps/stop-current-app");

/** Keeps the answers to requests that are on their way. */
async function awaitAll(world: ScenarioWorld, ...requests: ReturnType<ScenarioWorld["request"]>[]): Promise<void> {
  world.answers = await Promise.all(requests);
}

/** The living processes that run `python -u -m <app_name>.main` with a Python of this folder. */
const mainProcessesOf = (app: string, folder: string): ProcessIdentity[] =>
  ProcessTable.readSync().entries.filter(({ pid }) => {
    const command = commandOf(pid);
    return command[0]?.startsWith(folder) && command.join(" ").endsWith(` -u -m ${app}.main`);
  });

async function waitUntilRunning(world: ScenarioWorld, app: string): Promise<void> {
  await waitFor(DEADLINE_MS, `${app} is running`, async () => {
    const slot = await world.slot();
    assert.equal(slot?.info.name, app);
    assert.equal(slot?.state, "running");
    // After three seconds an app counts as running, which on a busy machine is before its interpreter has its command line.
    [world.app] = mainProcessesOf(app, world.startsDaemons ? world.dataDir : "");
    assert.ok(world.app, `${app} has a process`);
    return true;
  });
}

Given("{string} is running", async function (app: string) {
  assert.equal((await start(this, app)).status, 200);
  await waitUntilRunning(this, app);
});

Given("{string} is running and moving", async function (app: string) {
  assert.equal((await start(this, app)).status, 200);
  await waitUntilRunning(this, app);
  await waitUntilMoving(this);
});

Given("{string} is started", async function (app: string) {
  assert.equal((await start(this, app)).status, 200);
});

When("the start of {string} is requested and, as soon as it holds the slot, the stop", async function (app: string) {
  const started = start(this, app);
  await waitFor(DEADLINE_MS, `${app} holds the slot`, async () => {
    const slot = await this.slot();
    return slot?.info.name === app && !isFree(slot);
  });
  await awaitAll(this, started, stop(this));
});

When("the stop is requested and, before it is answered, the start of {string}", async function (app: string) {
  const stopped = stop(this);
  await waitFor(DEADLINE_MS, "the app is gone while the robot still returns", async () => isFree(await this.slot()));
  await awaitAll(this, stopped, start(this, app));
});

When("the start of {string} is requested", async function (app: string) {
  await awaitAll(this, start(this, app));
});

When("the starts of {string} and {string} are requested at the same time", async function (a: string, b: string) {
  await awaitAll(this, start(this, a), start(this, b));
});

const restart = (world: ScenarioWorld, inPlace: boolean) =>
  world.request("POST", `/api/apps/restart-current-app?in_place=${inPlace}`);

When(/^the restart (in place )?is requested$/, async function (inPlace?: string) {
  await awaitAll(this, restart(this, Boolean(inPlace)));
});

When(
  /^the restart is requested and, before it is answered, (?:the stop|the start of "(.*)")$/,
  async function (app?: string) {
    const restarted = restart(this, false);
    await waitFor(DEADLINE_MS, "the restart has begun", async () => (await this.slot())?.state !== "running");
    await awaitAll(this, restarted, app ? start(this, app) : stop(this));
  },
);

When("the start of {string} in place of the running app is requested", async function (app: string) {
  await awaitAll(this, this.request("POST", `/api/apps/start-app/${app}?replace=true`));
});

When("the stop is requested", async function () {
  await awaitAll(this, stop(this));
});

When("the stop is requested twice at the same time", async function () {
  await awaitAll(this, stop(this), stop(this));
});

When("its process is killed with SIGKILL", function () {
  process.kill(this.appPid, "SIGKILL");
});

Then("the request is answered with {int}", function (status: number) {
  assert.equal(this.answer.status, status, JSON.stringify(this.answer.body));
});

/** A field of a problem that the daemon answered. */
const fieldOf = ({ body }: ScenarioWorld["answer"], field: "detail" | "code") =>
  (body as Record<string, string>)[field];

Then(
  /^the request is answered with (\d+) and the (detail|code) "(.*)"$/,
  function (status: string, field: "detail" | "code", text: string) {
    assert.equal(this.answer.status, Number(status));
    assert.equal(fieldOf(this.answer, field), text);
  },
);

Then("one request is answered with {int}", function (status: number) {
  assert.equal(this.answers.filter((answer) => answer.status === status).length, 1, JSON.stringify(this.answers));
});

Then(
  /^the other request is answered with (\d+) and the (detail|code) "(.*)"$/,
  function (status: string, field: "detail" | "code", text: string) {
    const others = this.answers.filter((answer) => answer.status === Number(status));
    const found = others.map((answer) => fieldOf(answer, field));
    assert.deepEqual(found, [text], JSON.stringify(this.answers));
  },
);

Then("both requests are answered with {int}", function (status: number) {
  assert.deepEqual(
    this.answers.map((answer) => answer.status),
    [status, status],
  );
});

Then(/^(?:eventually )?the slot holds "(.*)" as "(.*)"$/, async function (app: string, state: string) {
  await waitFor(DEADLINE_MS, `the slot holds ${app} as ${state}`, async () => {
    const slot = await this.slot();
    assert.deepEqual([slot?.info.name, slot?.state], [app, state]);
    return true;
  });
});

Then("it is still the same process", function () {
  assert.ok(this.app && ProcessTable.readSync().has(this.app));
});

Then("it is another process", function () {
  assert.equal(ProcessTable.readSync().get(this.appPid), undefined);
});

const isFree = (slot: AppStatus | null): boolean => slot === null || slot.state === "done" || slot.state === "error";

Then("the slot is free", async function () {
  assert.ok(isFree(await this.slot()), JSON.stringify(await this.slot()));
});

Then("the slot is free with the state {string}", async function (state: string) {
  assert.equal((await this.slot())?.state, state, JSON.stringify(await this.slot()));
});

Then("eventually the slot is free with the state {string}", async function (state: string) {
  await waitFor(DEADLINE_MS, `the slot's app is ${state}`, async () => {
    assert.equal((await this.slot())?.state, state);
    return true;
  });
});

Then("its error matches {string}", async function (pattern: string) {
  assert.match((await this.slot())?.error ?? "", new RegExp(pattern));
});

Then("{string} can be started", async function (app: string) {
  const { status, body } = await start(this, app);
  assert.equal(status, 200, JSON.stringify(body));
  await waitUntilRunning(this, app);
});

Then(/^(?:eventually )?"(.*)" printed "(.*)"$/, async function (app: string, text: string) {
  await waitFor(DEADLINE_MS, `${app} printed ${text}`, async () => {
    const lines = await this.logLines(app);
    if (lines.some((line) => line.includes(text))) return true;
    throw new Error(lines.map((line) => line.slice(0, 200)).join("\n"));
  });
});

Then("{string} moves the robot", async function (app: string) {
  await waitUntilRunning(this, app);
  await waitUntilMoving(this);
});

/** Waits until the servos report that a joint has moved by 0.05 rad. */
async function waitUntilMoving(world: ScenarioWorld): Promise<void> {
  const before = await measured(world);
  await waitFor(DEADLINE_MS, "the robot moves", async () => {
    const after = await measured(world);
    return after.some((angle, joint) => Math.abs(angle - (before[joint] ?? 0)) > 0.05);
  });
}
