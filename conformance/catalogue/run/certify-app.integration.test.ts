import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { digestOf } from "../../../daemon/apps/install/fetch/digest.ts";
import { FolderObjects } from "../store/folder-objects.ts";
import { VerdictStore } from "../store/verdict-store.ts";
import { exampleContext } from "../testing/example-context.ts";
import { certifyApp } from "./certify-app.ts";

/** Keeps attempts only. */
class StoreThatRefusesVerdicts extends VerdictStore {
  override put(): Promise<never> {
    return Promise.reject(new Error("the server refuses conditional writes"));
  }
}

test("a verdict that the store refuses leaves no attempt, which would count as lost", async () => {
  const folder = temporaryFolder("robot-certify-app-test-");
  const [source, cache] = [join(folder, "app"), join(folder, "cache")];
  await cp("fixtures/apps/hello_robot", source, { recursive: true });
  // An app whose files violate a MUST is judged without being run.
  await rm(join(source, "README.md"));
  await mkdir(cache);
  const store = new StoreThatRefusesVerdicts(new FolderObjects(join(folder, "store")));
  const context = exampleContext(folder, { store, cache, env: process.env });
  const certified = certifyApp({ name: "app", source, revision: null }, context);
  await expect(certified).rejects.toThrow("the server refuses conditional writes");
  expect(await store.attempts({ digest: await digestOf(source), suite: "0.0.0", tier: "short" })).toEqual([]);
});
