import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { isAddress } from "../../../daemon/apps/hub/space-address.ts";
import { digestOf } from "../../../daemon/apps/install/fetch/digest.ts";
import { parseSource } from "../../../daemon/apps/install/fetch/parse-source.ts";
import type { CatalogueApp } from "./catalogue-apps.ts";

/** An app on this machine. */
export interface FetchedApp {
  folder: string;
  /** Of its files. */
  digest: string;
}

/**
 * Downloads a space into a scratch folder; an app in a folder stays where it is.
 * @throws Error when there is no such folder; as `HubClient` does; the signal's reason
 */
export async function fetchApp(
  app: CatalogueApp,
  hub: HubClient,
  scratch: string,
  signal: AbortSignal,
): Promise<FetchedApp> {
  if (!isAddress(app.source)) {
    if (!(await stat(app.source)).isDirectory()) throw new Error(`${app.source} is not a folder`);
    return { folder: app.source, digest: await digestOf(app.source) };
  }
  const folder = join(scratch, "source");
  await parseSource(app.source, hub).fetch(folder, { signal, enter: () => {}, log: () => {} });
  return { folder, digest: await digestOf(folder) };
}
