import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { digestOf } from "../../../daemon/apps/install/fetch/digest.ts";
import { FolderObjects } from "../store/folder-objects.ts";
import { VerdictStore } from "../store/verdict-store.ts";
import { exampleContext } from "../testing/example-context.ts";
import { certifyApp } from "./certify-app.ts";
import { QUARANTINE_LOSSES } from "./quarantine.ts";

/** Certifies an app until the certification itself would begin, after attempts of a job that began now and did not end. */
async function certifyAfterAttemptsOf(job: string) {
  const folder = temporaryFolder("robot-certify-app-test-");
  const source = join(folder, "app");
  await mkdir(source);
  await writeFile(join(source, "pyproject.toml"), "");
  const store = new VerdictStore(new FolderObjects(join(folder, "store")));
  const key = { digest: await digestOf(source), suite: "0.0.0", tier: "short" } as const;
  const startedAt = new Date(systemClock.unixTime()).toISOString();
  for (let attempt = 0; attempt < QUARANTINE_LOSSES; attempt += 1)
    await store.beginAttempt(key, { worker: `a:${attempt}`, job, startedAt, failure: null });
  const waitForTurn = () => Promise.reject(new Error("the certification begins"));
  const context = exampleContext(folder, { store, job: "job", waitForTurn });
  return certifyApp({ name: "app", source, revision: null }, context);
}

test("copies of an app that are certified at the same time do not quarantine it", async () => {
  await expect(certifyAfterAttemptsOf("job of a copy")).rejects.toThrow("the certification begins");
});

test("an app whose job lost its workers is quarantined, with the attempts", async () => {
  const result = await certifyAfterAttemptsOf("job");
  expect(result).toMatchObject({ kind: "verdict", known: false, verdict: { verdict: "quarantined", problems: [] } });
  expect(result.kind === "verdict" && result.verdict.attempts.length).toBe(QUARANTINE_LOSSES);
});

test("a download that takes longer than the app's deadline is a failure", async () => {
  const folder = temporaryFolder("robot-certify-app-test-");
  const url = await serveHttp(() => {});
  const app = { name: "maker/app", source: `${url}/spaces/maker/app`, revision: "a".repeat(40) };
  const context = exampleContext(folder, { hub: new HubClient({ url, token: null }), deadline: 0.05 });
  expect(await certifyApp(app, context)).toEqual({
    kind: "failed",
    digest: null,
    failure: { kind: "fetch", message: "it was not downloaded within 0.05 s", output: "" },
  });
});
