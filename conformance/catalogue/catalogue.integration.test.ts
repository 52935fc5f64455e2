import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sharedTemporaryFolder } from "../../common/testing/temporary-folder.ts";
import { rejectOnAbort } from "../../common/time/reject-on-abort.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import type { CatalogueRun } from "./run/catalogue-run.ts";
import { openObjects } from "./store/open-store.ts";
import { VerdictStore } from "./store/verdict-store.ts";
import { findRedisServer, TestRedis } from "./testing/redis-server.ts";
import { type RunningAssistant, startAssistant } from "./testing/run-assistant.ts";
import { hasS3Server, startS3Server } from "./testing/s3-server.ts";

/** Milliseconds: longer than the lock of a worker that was killed. */
const LONG_MS = 120_000;

const folder = sharedTemporaryFolder("robot-catalogue-test-");
const apps = join(folder, "apps");
let env: NodeJS.ProcessEnv = {};

// Apps that no installer can build are judged without being run.
beforeAll(() => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const app = join(apps, `app_${number}`);
    cpSync("fixtures/apps/hello_robot", app, { recursive: true });
    const project = join(app, "pyproject.toml");
    const name = number % 2 === 0 ? '"hello robot"' : '"hello/robot"';
    writeFileSync(project, readFileSync(project, "utf8").replace('"hello_robot"', name));
    writeFileSync(join(app, "number.txt"), String(number));
  }
  // The clean environment that the tests prepare; a first certification would make it.
  const cache = join(folder, "data/robot-daemon/certification");
  mkdirSync(cache, { recursive: true });
  if (existsSync("artifacts/certification/apps_venv"))
    symlinkSync(resolve("artifacts/certification/apps_venv"), join(cache, "apps_venv"));
  env = { ...process.env, XDG_DATA_HOME: join(folder, "data") };
});

const start = (...args: string[]) => startIn(env, args);

function startIn(environment: NodeJS.ProcessEnv, args: readonly string[]): RunningAssistant {
  const running = startAssistant(args, environment);
  onTestFinished(async () => {
    running.child.kill("SIGKILL");
    await running.exit;
  });
  return running;
}

const catalogue = (store: string, ...args: string[]) =>
  start("certify", "--catalogue", apps, "--tier", "short", "--json", "--store", join(folder, store), ...args);

async function runOf(running: RunningAssistant, others: readonly RunningAssistant[] = []): Promise<CatalogueRun> {
  expect([await exitOf(running, others), running.err()]).toEqual([0, expect.any(String)]);
  return JSON.parse(running.out()) as CatalogueRun;
}

/** @throws Error with what a program has printed, when it does not end */
async function exitOf({ exit, out, err }: RunningAssistant, others: readonly RunningAssistant[] = []) {
  const signal = AbortSignal.timeout(LONG_MS);
  return rejectOnAbort(exit, signal).catch((cause: unknown) => {
    const printed = [{ out, err }, ...others].map((each) => `${each.out()}\n${each.err()}`);
    throw new Error(`not ended within ${LONG_MS} ms: ${printed.join("\n--- another program\n")}`, { cause });
  });
}

const judgedIn = ({ apps: all }: CatalogueRun) =>
  all.map(({ name, verdict, problems }) => [name, verdict, problems.map(({ id }) => id)]);
/** Names of the files in a folder of a store with a certain ending, also in its subfolders; empty folders may stay. */
const filesIn = (store: string, path: string, ending: string) => {
  const parent = join(folder, store, path);
  const names = existsSync(parent) ? readdirSync(parent, { recursive: true, encoding: "utf8" }) : [];
  return names.filter((name) => name.endsWith(ending));
};
const recordsIn = (store: string) => filesIn(store, "verdicts", "record.json");

/** A name with a slash is no name of a package, so that the entry point has none to match either. */
const EXPECTED = [1, 2, 3, 4, 5, 6].map((number) => [
  `app_${number}`,
  "not-conformant",
  number % 2 === 0 ? ["PKG-002"] : ["PKG-002", "PKG-003"],
]);

test("a run that is killed goes on where it was, and a second run certifies nothing", async () => {
  const killed = catalogue("killed", "--concurrency", "1");
  await waitFor(LONG_MS, "two apps have verdicts", () => recordsIn("killed").length >= 2);
  killed.child.kill("SIGKILL");
  await killed.exit;
  const before = recordsIn("killed");
  const run = await runOf(catalogue("killed"));
  expect(judgedIn(run)).toEqual(EXPECTED);
  expect(run.apps.filter(({ known }) => known).length).toBeGreaterThanOrEqual(2);
  expect(recordsIn("killed")).toEqual(expect.arrayContaining(before));
  const again = await runOf(catalogue("killed"));
  expect([judgedIn(again), again.apps.every(({ known }) => known)]).toEqual([EXPECTED, true]);
  expect(readFileSync(join(folder, "killed/catalogue.html"), "utf8")).toContain("<td>app_6</td>");
});

test("an app that exceeds a limit each time has no verdict, and the next run certifies it", async () => {
  const limited = catalogue("limits", "--app-memory", "20");
  expect(await exitOf(limited)).toBe(3);
  const [app] = (JSON.parse(limited.out()) as CatalogueRun).apps;
  expect(app).toMatchObject({ verdict: "error", failure: { kind: "memory" } });
  expect(judgedIn(await runOf(catalogue("limits")))).toEqual(EXPECTED);
});

test.skipIf(findRedisServer() === null)(
  "workers give the same verdicts while a worker and Redis are killed; SIGTERM drains a worker",
  async () => {
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const store = ["--store", join(folder, "queued")];
    const worker = () => start("worker", "--queue", redis.url, "--concurrency", "1", ...store);
    const [first, second] = [worker(), worker()] as const;
    const run = catalogue("queued", "--queue", redis.url);
    await waitFor(LONG_MS, "an app has a verdict", () => recordsIn("queued").length > 0);
    first.child.kill("SIGKILL");
    await redis.kill();
    await redis.restart();
    expect(judgedIn(await runOf(run, [second]))).toEqual(EXPECTED);
    second.child.kill("SIGTERM");
    expect(await exitOf(second)).toBe(0);
  },
);

test.skipIf(!hasS3Server())("a bucket keeps verdicts and reports as a folder does", async () => {
  const server = await startS3Server();
  onTestFinished(() => server.close());
  const credentials = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test", AWS_ENDPOINT_URL: server.endpoint };
  const address = `s3://${server.bucket}/nightly`;
  const args = ["certify", "--catalogue", apps, "--tier", "short", "--json", "--store", address];
  const run = await runOf(startIn({ ...env, ...credentials }, args));
  expect(judgedIn(run)).toEqual(EXPECTED);
  const again = await runOf(startIn({ ...env, ...credentials }, args));
  expect([judgedIn(again), again.apps.every(({ known }) => known)]).toEqual([EXPECTED, true]);
  const store = new VerdictStore(openObjects(address, folder, credentials));
  expect(JSON.parse((await store.readReport("catalogue.json")) ?? "")).toEqual(again);
  expect(await store.readReport("catalogue.md")).toContain("| app\\_6 | not-conformant |");
  expect(await store.listReports("runs")).toHaveLength(2);
});

test("without Redis, the message says what to start", async () => {
  const { exit, out } = catalogue("none", "--queue", "redis://127.0.0.1:9");
  expect([await exit, out()]).toEqual([3, expect.stringContaining("There is no Redis at 127.0.0.1:9")]);
});
