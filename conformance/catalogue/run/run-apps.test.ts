import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { digestOf } from "../../../daemon/apps/install/fetch/digest.ts";
import type { CatalogueVerdict } from "../catalogue-verdict.ts";
import { FolderObjects } from "../store/folder-objects.ts";
import { VerdictStore } from "../store/verdict-store.ts";
import { exampleContext } from "../testing/example-context.ts";
import { exampleCatalogueVerdict, exampleKey } from "../testing/example-run.ts";
import { runApps } from "./run-apps.ts";

const HOUR_MS = 3_600_000;

async function newFolder(): Promise<string> {
  const folder = temporaryFolder("robot-run-apps-test-");
  await mkdir(join(folder, "app"));
  return folder;
}

const appIn = (folder: string, name: string) => ({ name, source: join(folder, name), revision: null });

test("an error of the store cancels the other certifications, and no other begins", async () => {
  const folder = await newFolder();
  let reads = 0;
  let waiting = false;
  class FailingStore extends VerdictStore {
    override async get(): Promise<CatalogueVerdict | null> {
      reads += 1;
      if (reads === 1) return null;
      await waitFor(DEADLINE_MS, "the first app waits for its turn", () => waiting);
      throw new Error("the disk cannot be read");
    }
  }
  const waitForTurn = () => {
    waiting = true;
    return new Promise<void>(() => {});
  };
  const apps = ["1", "2", "3"].map((name) => ({ ...appIn(folder, "app"), name }));
  const context = exampleContext(folder, { store: new FailingStore(new FolderObjects(folder)), waitForTurn });
  const run = runApps(apps, { ...context, concurrency: 2, onResult: () => {} });
  await expect(run).rejects.toThrow("the disk cannot be read");
  expect(reads).toBe(2);
});

test("an app that fails is tried again after the others, and results are in the order of the apps", async () => {
  const folder = await newFolder();
  const store = new VerdictStore(new FolderObjects(folder));
  const key = { ...exampleKey(), digest: await digestOf(join(folder, "app")) };
  await store.put(exampleCatalogueVerdict({ key }), {});
  const clock = new ManualClock();
  const finished: string[] = [];
  const apps = ["missing", "app", "gone"].map((name) => appIn(folder, name));
  let isDone = false;
  const run = runApps(apps, {
    ...exampleContext(folder, { store, clock }),
    concurrency: 1,
    onResult: ({ name }) => finished.push(name),
  }).finally(() => {
    isDone = true;
  });
  await waitFor(DEADLINE_MS, "all attempts are made", async () => {
    await clock.advanceAsync(HOUR_MS);
    return isDone;
  });
  expect((await run).map((result) => result.kind)).toEqual(["failed", "verdict", "failed"]);
  expect(finished).toEqual(["app", "missing", "gone"]);
});
