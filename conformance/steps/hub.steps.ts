import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { After, Given, Then, When } from "@cucumber/cucumber";
import { commit } from "@huggingface/hub";
import { openHub } from "../../assistant/hub/hub.ts";
import type { AppCatalogue, AppInfo, AppUpdate } from "../../robot/wire/apps.ts";
import type { Job } from "../../robot/wire/jobs.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./world.ts";

const DEADLINE_MS = 60_000;

Given("a hub of our own, and an apps' environment of our own", async function (this: Scene) {
  this.ownVenv = true;
  this.hub = await openHub({
    dataDir: join(this.dataDir, "hub"),
    port: 0,
    seed: resolve("fixtures/hub"),
    pageSize: 2,
    searchPath: process.env.PATH ?? "",
    now: Date.now,
    onDefect: (error) => {
      throw error;
    },
  });
});

After(async function (this: Scene) {
  await this.hub?.close();
});

const hubUrl = ({ hub }: Scene): string => hub?.url ?? "";
const newestJob = async (scene: Scene): Promise<Job | undefined> => (await scene.get<Job[]>("/api/apps/jobs"))[0];

/** The newest job, once it is over. */
function jobOver(scene: Scene): Promise<Job> {
  return within(DEADLINE_MS, "the job is over", async () => {
    const job = await newestJob(scene);
    return job !== undefined && !["pending", "in_progress"].includes(job.status) ? job : null;
  });
}

async function install(scene: Scene, body: unknown): Promise<void> {
  scene.answers = [await scene.request("POST", "/api/apps/install", body)];
}

When("the install of space {string} is requested", async function (this: Scene, id: string) {
  await install(this, { url: `${hubUrl(this)}/spaces/${id}` });
});

When("the install of address {string} is requested", async function (this: Scene, address: string) {
  await install(this, { url: address.replace("HUB", hubUrl(this)) });
});

When("the install of {string} is requested as the catalogue lists it", async function (this: Scene, name: string) {
  const offered = await this.get<AppInfo[]>("/api/apps/list-available/hf_space");
  await install(
    this,
    offered.find((app) => app.name === name),
  );
});

When("the hub goes away", async function (this: Scene) {
  await this.hub?.close();
});

When("the catalogue is asked again", async function (this: Scene) {
  this.answers = [await this.request("GET", "/api/apps/catalogue?refresh=true")];
});

Then("the job ends as {string} in the stage {string}", async function (this: Scene, status: string, stage: string) {
  const job = await jobOver(this);
  assert.deepEqual([job.status, job.stage], [status, stage], JSON.stringify(job));
});

Then("its reason is {string} and tells {string}", async function (this: Scene, code: string, words: string) {
  const job = await jobOver(this);
  assert.equal(job.code, code, job.error ?? "");
  assert.ok(job.error?.includes(words), job.error ?? "");
});

Then("{string} is installed", async function (this: Scene, name: string) {
  assert.ok((await this.get<AppInfo[]>("/api/apps/list")).some((app) => app.name === name));
});

Then("{string} is not installed", async function (this: Scene, name: string) {
  assert.ok(!(await this.get<AppInfo[]>("/api/apps/list")).some((app) => app.name === name));
});

Then("no job was made", async function (this: Scene) {
  assert.deepEqual(await this.get("/api/apps/jobs"), []);
});

Then("the catalogue holds {string}, but not {string}", async function (this: Scene, name: string, other: string) {
  const { apps, offline } = await this.get<AppCatalogue>("/api/apps/catalogue");
  const names = apps.map((app) => app.name);
  assert.ok(names.includes(name) && !names.includes(other), names.join(", "));
  assert.equal(offline, null);
});

Then("a search for {string} finds {string} alone", async function (this: Scene, query: string, name: string) {
  const found = await this.get<AppInfo[]>(`/api/apps/list-available/hf_space?query=${encodeURIComponent(query)}`);
  assert.deepEqual(
    found.map((app) => app.name),
    [name],
  );
});

Then("it still holds {string}, and says that the hub is away", function (this: Scene, name: string) {
  const { apps, offline, age_s } = this.answer.body as AppCatalogue;
  assert.ok(apps.some((app) => app.name === name));
  assert.match(offline ?? "", /does not answer/);
  assert.ok(age_s !== null && age_s >= 0);
});

const namesIn = async (scene: Scene, list: string): Promise<string[]> =>
  (await scene.get<AppInfo[]>(`/api/apps/list-available/${list}`)).map(({ name }) => name);

Then("the list {string} holds {string}", async function (this: Scene, list: string, name: string) {
  assert.ok((await namesIn(this, list)).includes(name));
});

Then("the list {string} does not hold {string}", async function (this: Scene, list: string, name: string) {
  assert.ok(!(await namesIn(this, list)).includes(name));
});

When("space {string} moves on", async function (this: Scene, id: string) {
  await commit({
    repo: { type: "space", name: id },
    title: "Move on",
    operations: [{ operation: "addOrUpdate", path: "NOTES.md", content: new Blob(["It moved."]) }],
    accessToken: "hf_local_write",
    hubUrl: hubUrl(this),
  });
});

const updates = async (scene: Scene): Promise<string[]> =>
  (await scene.get<AppUpdate[]>("/api/apps/check-updates")).map(({ name }) => name);

Then("no app has an update", async function (this: Scene) {
  assert.deepEqual(await updates(this), []);
});

Then("{string} has an update", async function (this: Scene, name: string) {
  assert.deepEqual(await updates(this), [name]);
});

When("the update of {string} is requested", async function (this: Scene, name: string) {
  this.answers = [await this.request("POST", `/api/apps/update/${name}`)];
  assert.equal(this.answer.status, 200);
});

Then("its installation shows while the robot sleeps", async function (this: Scene) {
  const seen = new Set<string | null>();
  await within(DEADLINE_MS, "the startup app is installed", async () => {
    const { mode } = await this.get<{ mode: string }>("/api/motors/status");
    const job = await newestJob(this);
    if (job === undefined) return false;
    if (job.status === "done") return true;
    // The robot was asked first: the job was under way at that moment.
    assert.notEqual(mode, "enabled", `awake while ${job.command} is in stage ${job.stage}`);
    seen.add(job.stage);
    return false;
  });
  assert.ok(seen.has("install"), [...seen].join(", "));
});

When("an install of space {string} is in the stage {string}", async function (this: Scene, id: string, stage: string) {
  await install(this, { url: `${hubUrl(this)}/spaces/${id}` });
  await within(DEADLINE_MS, `the job is in the stage ${stage}`, async () => (await newestJob(this))?.stage === stage);
});
