import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { FolderObjects } from "../store/folder-objects.ts";
import { VerdictStore } from "../store/verdict-store.ts";
import { exampleApp, exampleRun } from "../testing/example-run.ts";
import { latestCatalogueRun } from "./runs-folder.ts";

test("the latest run of a tier is read; one that is damaged is left out", async () => {
  const folder = temporaryFolder("robot-runs-folder-test-");
  const store = new VerdictStore(new FolderObjects(folder));
  expect(await latestCatalogueRun(store, "short")).toBeNull();
  const run = exampleRun([exampleApp("app")]);
  await store.writeReport("runs/2030-01-01-short.json", JSON.stringify(run));
  await store.writeReport("runs/2030-01-02-whole.json", "{}");
  expect(await latestCatalogueRun(store, "short")).toEqual(run);
  await store.writeReport("runs/2030-01-03-short.json", '{"format":');
  expect(await latestCatalogueRun(store, "short")).toBeNull();
});
