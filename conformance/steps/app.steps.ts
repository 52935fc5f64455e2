import assert from "node:assert/strict";
import { Given, Then, When } from "@cucumber/cucumber";
import type { AppStatus } from "../../robot/wire/apps.ts";
import { appProcesses, groupMembers } from "../runner/process-group.ts";
import { within } from "../runner/waiting.ts";
import { measured, type Scene } from "./scene.ts";

const start = (scene: Scene, app: string) => scene.request("POST", `/api/apps/start-app/${app}`);
const stop = (scene: Scene) => scene.request("POST", "/api/apps/stop-current-app");

async function request(scene: Scene, ...requests: (() => ReturnType<Scene["request"]>)[]): Promise<void> {
  scene.requestedAt = performance.now();
  scene.answers = await Promise.all(requests.map((send) => send()));
}

async function running(scene: Scene, app: string): Promise<void> {
  await within(10_000, `${app} is running`, async () => {
    const slot = await scene.slot();
    assert.equal(slot?.info.name, app);
    assert.equal(slot?.state, "running");
    return true;
  });
  const [pid] = appProcesses(app, scene.isOurs ? scene.dataDir : "");
  assert.ok(pid, `${app} has a process`);
  scene.appPid = pid;
}

Given("{string} is running", async function (this: Scene, app: string) {
  assert.equal((await start(this, app)).status, 200);
  await running(this, app);
});

Given("{string} is running and moving", async function (this: Scene, app: string) {
  assert.equal((await start(this, app)).status, 200);
  await running(this, app);
  await moves(this);
});

Given("{string} is started", async function (this: Scene, app: string) {
  assert.equal((await start(this, app)).status, 200);
});

When(
  "the start of {string} is requested and, as soon as it holds the slot, the stop",
  async function (this: Scene, app: string) {
    const started = start(this, app);
    await within(5000, `${app} holds the slot`, async () => (await this.slot())?.info.name === app);
    await request(
      this,
      () => started,
      () => stop(this),
    );
  },
);

When(
  "the stop is requested and, before it is answered, the start of {string}",
  async function (this: Scene, app: string) {
    const stopped = stop(this);
    await within(5000, "the app is gone while the robot still returns", async () => isFree(await this.slot()));
    await request(
      this,
      () => stopped,
      () => start(this, app),
    );
  },
);

When("the start of {string} is requested", async function (this: Scene, app: string) {
  await request(this, () => start(this, app));
});

When("the starts of {string} and {string} are requested at once", async function (this: Scene, a: string, b: string) {
  await request(
    this,
    () => start(this, a),
    () => start(this, b),
  );
});

When("the stop is requested", async function (this: Scene) {
  await request(this, () => stop(this));
});

When("the stop is requested twice at once", async function (this: Scene) {
  await request(
    this,
    () => stop(this),
    () => stop(this),
  );
});

When("its process is killed with SIGKILL", function (this: Scene) {
  process.kill(this.appPid, "SIGKILL");
});

Then("the request is answered with {int}", function (this: Scene, status: number) {
  assert.equal(this.answer.status, status, JSON.stringify(this.answer.body));
});

Then(
  "the request is answered with {int} and the detail {string}",
  function (this: Scene, status: number, detail: string) {
    assert.equal(this.answer.status, status);
    assert.equal((this.answer.body as { detail: string }).detail, detail);
  },
);

Then("the request is answered with {int} and the code {string}", function (this: Scene, status: number, code: string) {
  assert.equal(this.answer.status, status);
  assert.equal((this.answer.body as { code: string }).code, code);
});

Then("one is answered with {int}", function (this: Scene, status: number) {
  assert.equal(this.answers.filter((answer) => answer.status === status).length, 1, JSON.stringify(this.answers));
});

Then(
  "the other is answered with {int} and the detail {string}",
  function (this: Scene, status: number, detail: string) {
    const others = this.answers.filter((answer) => answer.status === status);
    assert.deepEqual(
      others.map((answer) => (answer.body as { detail: string }).detail),
      [detail],
    );
  },
);

Then("both are answered with {int}", function (this: Scene, status: number) {
  assert.deepEqual(
    this.answers.map((answer) => answer.status),
    [status, status],
  );
});

Then("the slot holds {string} as {string}", async function (this: Scene, app: string, state: string) {
  await within(10_000, `the slot holds ${app} as ${state}`, async () => {
    const slot = await this.slot();
    assert.deepEqual([slot?.info.name, slot?.state], [app, state]);
    return true;
  });
});

Then(
  "within {int} seconds the slot holds {string} as {string}",
  async function (this: Scene, seconds: number, app: string, state: string) {
    await within(seconds * 1000, `the slot holds ${app} as ${state}`, async () => {
      const slot = await this.slot();
      assert.deepEqual([slot?.info.name, slot?.state], [app, state]);
      return true;
    });
  },
);

Then("it is still the same process", function (this: Scene) {
  assert.ok(groupMembers(this.appPid).includes(this.appPid));
});

const isFree = (slot: AppStatus | null): boolean => slot === null || slot.state === "done" || slot.state === "error";

Then("the slot is free", async function (this: Scene) {
  assert.ok(isFree(await this.slot()), JSON.stringify(await this.slot()));
});

Then("the slot is free, its app {string}", async function (this: Scene, state: string) {
  assert.equal((await this.slot())?.state, state, JSON.stringify(await this.slot()));
});

Then(
  "within {int} seconds the slot is free, its app {string}",
  async function (this: Scene, seconds: number, state: string) {
    await within(seconds * 1000, `the slot's app is ${state}`, async () => {
      assert.equal((await this.slot())?.state, state);
      return true;
    });
  },
);

Then("its error tells {string}", async function (this: Scene, words: string) {
  assert.match((await this.slot())?.error ?? "", new RegExp(words));
});

Then("{string} can be started", async function (this: Scene, app: string) {
  const { status, body } = await start(this, app);
  assert.equal(status, 200, JSON.stringify(body));
  await running(this, app);
});

Then("{string} printed {string}", async function (this: Scene, app: string, text: string) {
  const { lines } = await this.get<{ lines: { text: string }[] }>(`/api/apps/logs/${app}`);
  assert.ok(
    lines.some((line) => line.text.includes(text)),
    JSON.stringify(lines),
  );
});

Then("{string} moves the robot", async function (this: Scene, app: string) {
  await running(this, app);
  await moves(this);
});

/** The servos report a joint that has travelled 0.05 rad. */
async function moves(scene: Scene): Promise<void> {
  const before = await measured(scene);
  await within(10_000, "the robot moves", async () => {
    const after = await measured(scene);
    return after.some((angle, joint) => Math.abs(angle - (before[joint] ?? 0)) > 0.05);
  });
}
