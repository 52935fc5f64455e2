import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import type { CatalogueRun } from "./catalogue-run.ts";
import type { CertifyContext } from "./certify-app.ts";

/**
 * Lifts the quarantine of the apps of a catalogue that a run found quarantined: their verdicts and attempts are forgotten,
 * so that they are certified again.
 * @returns the number of verdicts that were forgotten
 */
export async function forgetQuarantined(
  apps: readonly CatalogueApp[],
  before: CatalogueRun | null,
  { store, version, tier }: Pick<CertifyContext, "store" | "version" | "tier">,
): Promise<number> {
  const sources = new Set(apps.map(({ source }) => source));
  const found = before?.apps.filter(({ source, verdict }) => verdict === "quarantined" && sources.has(source)) ?? [];
  // Copies of an app have one verdict.
  const digests = new Set(found.flatMap(({ digest }) => digest ?? []));
  let count = 0;
  for (const digest of digests) {
    const key = { digest, suite: version, tier };
    if ((await store.get(key))?.verdict !== "quarantined") continue;
    await store.forget(key);
    count += 1;
  }
  return count;
}
