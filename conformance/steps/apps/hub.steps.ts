import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { After } from "@cucumber/cucumber";
import { commit } from "@huggingface/hub";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { startTestHub } from "../../../fixtures/hub/server/testing/start-test-hub.ts";
import type { AppCatalogue, AppInfo, AppUpdate } from "../../../robot/wire/apps/app-status.ts";
import type { Job } from "../../../robot/wire/apps/jobs.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

const JOB_DEADLINE_MS = 150_000;

Given("a development hub and a separate apps' environment", async function () {
  this.ownVenv = true;
  this.hub = await startTestHub(this.dataDir, { pageSize: 2 });
});

/** Spaces on a page of the hub with many apps: as many as users of the public store saw in all. */
const PAGE = 50;

Given("a hub with {int} apps", async function (count: number) {
  const spaces = Array.from({ length: count }, (_, at) => ({
    id: `maker/app_${at}`,
    sha: "0".repeat(40),
    private: false,
    likes: Math.max(0, PAGE - at),
    lastModified: "2026-01-01T00:00:00.000Z",
    tags: ["robot_python_app"],
    cardData: {},
  }));
  const server = createServer(({ url = "", headers }, response) => {
    const from = Number(new URL(url, "http://hub").searchParams.get("cursor"));
    const next = `http://${headers.host}${url.replace(/&cursor=\d+/, "")}&cursor=${from + PAGE}`;
    if (from + PAGE < count) response.setHeader("link", `<${next}>; rel="next"`);
    const isOfApps = new URL(url, "http://hub").searchParams.get("filter") === "robot_python_app";
    response.end(JSON.stringify(isOfApps ? spaces.slice(from, from + PAGE) : []));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  this.hub = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
});

Then("the catalogue has {int} apps", async function (count: number) {
  const { apps, offline } = await this.get<AppCatalogue>("/api/apps/catalogue");
  assert.deepEqual([apps.length, offline], [count, null]);
});

After(async function (this: ScenarioWorld) {
  await this.hub?.close();
});

const hubUrl = ({ hub }: ScenarioWorld): string => hub?.url ?? "";
const newestJob = async (world: ScenarioWorld): Promise<Job | undefined> =>
  (await world.get<Job[]>("/api/apps/jobs"))[0];

/** The newest job, after it has ended. */
function waitForJob(world: ScenarioWorld): Promise<Job> {
  return waitFor(JOB_DEADLINE_MS, "the job ends", async () => {
    const job = await newestJob(world);
    return job !== undefined && !["pending", "in_progress"].includes(job.status) ? job : null;
  });
}

async function install(world: ScenarioWorld, body: unknown): Promise<void> {
  world.answers = [await world.request("POST", "/api/apps/install", body)];
}

When("the install of space {string} is requested", async function (id: string) {
  await install(this, { url: `${hubUrl(this)}/spaces/${id}` });
});

When("the install of address {string} is requested", async function (address: string) {
  await install(this, { url: address.replace("HUB", hubUrl(this)) });
});

When("the install of {string} is requested as the catalogue lists it", async function (name: string) {
  const offered = await this.get<AppInfo[]>("/api/apps/list-available/hf_space");
  await install(
    this,
    offered.find((app) => app.name === name),
  );
});

When("the hub stops", async function () {
  await this.hub?.close();
});

When("the catalogue is refreshed", async function () {
  this.answers = [await this.request("GET", "/api/apps/catalogue?refresh=true")];
});

Then("the job ends as {string} in the stage {string}", async function (status: string, stage: string) {
  const job = await waitForJob(this);
  assert.deepEqual([job.status, job.stage], [status, stage], JSON.stringify(job));
});

Then("its error code is {string} and its error contains {string}", async function (code: string, words: string) {
  const job = await waitForJob(this);
  assert.equal(job.code, code, job.error ?? "");
  assert.ok(job.error?.includes(words), job.error ?? "");
});

Then("{string} is installed", async function (name: string) {
  assert.ok((await this.get<AppInfo[]>("/api/apps/list")).some((app) => app.name === name));
});

Then("{string} is not installed", async function (name: string) {
  assert.ok(!(await this.get<AppInfo[]>("/api/apps/list")).some((app) => app.name === name));
});

Then("the hub has no space {string}", async function (id: string) {
  // As its owner: the hub says nothing of private spaces to others.
  const headers = { authorization: "Bearer hf_local_write" };
  assert.equal((await fetch(`${hubUrl(this)}/api/spaces/${id}`, { headers })).status, 404);
});

Then("no job was made", async function () {
  assert.deepEqual(await this.get("/api/apps/jobs"), []);
});

Then("the catalogue holds {string}, but not {string}", async function (name: string, other: string) {
  const { apps, offline } = await this.get<AppCatalogue>("/api/apps/catalogue");
  const names = apps.map((app) => app.name);
  assert.ok(names.includes(name) && !names.includes(other), names.join(", "));
  assert.equal(offline, null);
});

Then("a search for {string} finds {string} alone", async function (query: string, name: string) {
  const found = await this.get<AppInfo[]>(`/api/apps/list-available/hf_space?query=${encodeURIComponent(query)}`);
  assert.deepEqual(
    found.map((app) => app.name),
    [name],
  );
});

Then("the catalogue still holds {string} and reports the hub as offline", function (name: string) {
  const { apps, offline, age_s } = this.answer.body as AppCatalogue;
  assert.ok(apps.some((app) => app.name === name));
  assert.match(offline ?? "", /does not answer/);
  assert.ok(age_s !== null && age_s >= 0);
});

const namesIn = async (world: ScenarioWorld, list: string): Promise<string[]> =>
  (await world.get<AppInfo[]>(`/api/apps/list-available/${list}`)).map(({ name }) => name);

Then("the list {string} holds {string}", async function (list: string, name: string) {
  assert.ok((await namesIn(this, list)).includes(name));
});

Then("the list {string} does not hold {string}", async function (list: string, name: string) {
  assert.ok(!(await namesIn(this, list)).includes(name));
});

When("space {string} gets a new commit", async function (id: string) {
  await commit({
    repo: { type: "space", name: id },
    title: "Move on",
    operations: [{ operation: "addOrUpdate", path: "NOTES.md", content: new Blob(["It moved."]) }],
    accessToken: "hf_local_write",
    hubUrl: hubUrl(this),
  });
});

const updates = async (world: ScenarioWorld): Promise<string[]> =>
  (await world.get<AppUpdate[]>("/api/apps/check-updates")).map(({ name }) => name);

Then("no app has an update", async function () {
  assert.deepEqual(await updates(this), []);
});

Then("{string} has an update", async function (name: string) {
  assert.deepEqual(await updates(this), [name]);
});

When("the update of {string} is requested", async function (name: string) {
  this.answers = [await this.request("POST", `/api/apps/update/${name}`)];
  assert.equal(this.answer.status, 200);
});

Then("its install job is visible while the robot sleeps", async function () {
  const seen = new Set<string | null>();
  // Collected, since an error that is thrown while waiting counts as "not yet".
  const awake: string[] = [];
  await waitFor(JOB_DEADLINE_MS, "the startup app is installed", async () => {
    const { mode } = await this.get<{ mode: string }>("/api/motors/status");
    const job = await newestJob(this);
    if (job === undefined) return false;
    if (job.status === "done") return true;
    // The motor mode was read before the job, so the job was running at that moment.
    if (mode === "enabled") awake.push(`${job.command} in stage ${job.stage}`);
    seen.add(job.stage);
    return false;
  });
  assert.deepEqual(awake, [], "the robot was awake during these");
  assert.ok(seen.has("install"), `stages that were seen: ${[...seen].join(", ")}`);
});

When("an install of space {string} is in the stage {string}", async function (id: string, stage: string) {
  await install(this, { url: `${hubUrl(this)}/spaces/${id}` });
  await waitFor(DEADLINE_MS, `the job is in the stage ${stage}`, async () => (await newestJob(this))?.stage === stage);
});
