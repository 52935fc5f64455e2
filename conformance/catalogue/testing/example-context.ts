import { systemClock } from "../../../common/time/clock.ts";
import { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import type { CertifyContext } from "../run/certify-app.ts";
import { FolderObjects } from "../store/folder-objects.ts";
import { VerdictStore } from "../store/verdict-store.ts";

/** A context with a store in a folder, and a hub that does not answer. */
export const exampleContext = (folder: string, changes: Partial<CertifyContext> = {}): CertifyContext => ({
  store: new VerdictStore(new FolderObjects(folder)),
  hub: new HubClient({ url: "http://127.0.0.1:9", token: null }),
  version: "0.0.0",
  tier: "short",
  jobs: 1,
  deadline: 240,
  memoryBytes: 2e9,
  cache: folder,
  env: {},
  clock: systemClock,
  signal: new AbortController().signal,
  waitForTurn: async () => {},
  ...changes,
});
