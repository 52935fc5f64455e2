import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import type { Tier } from "../../certify/tiers.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import { compareRuns } from "../compare/compare-runs.ts";
import type { VerdictStore } from "../store/verdict-store.ts";
import { catalogueMarkdown, cataloguePage } from "../tables.ts";
import { type CatalogueRun, catalogueRun } from "./catalogue-run.ts";

const RUNS = "runs";

/**
 * Reads the JSON of a run.
 * @param name of the file, for messages
 * @throws WorkbenchError `bad-request` when it is none
 */
export function parseCatalogueRun(text: string, name: string): CatalogueRun {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new WorkbenchError("bad-request", `${name} is not JSON; name the catalogue.json of a run.`, { cause });
  }
  return parseOrThrow(catalogueRun, json, name, { next: "Name the catalogue.json that certify --catalogue wrote." });
}

/** The newest run of a tier in a store; null when there is none, or when it cannot be read: only order and trend need it. */
export async function latestCatalogueRun(store: VerdictStore, tier: Tier): Promise<CatalogueRun | null> {
  const names = await store.listReports(RUNS);
  const ofTier = names.filter((name) => name.endsWith(`-${tier}.json`));
  const newest = ofTier.sort().at(-1);
  const text = newest === undefined ? null : await store.readReport(`${RUNS}/${newest}`);
  if (text === null) return null;
  try {
    return parseCatalogueRun(text, newest ?? "");
  } catch {
    return null;
  }
}

/** Writes a run into the history of a store, and as its `catalogue.json`, `.md` and `.html`. @returns where these are, for people */
export async function writeCatalogueRun(
  store: VerdictStore,
  run: CatalogueRun,
  before: CatalogueRun | null,
): Promise<string[]> {
  const text = `${JSON.stringify(run)}\n`;
  // First what is expensive to get: a page that cannot be built loses no verdict.
  await store.writeReport(`${RUNS}/${run.startedAt.replace(/:/g, "-")}-${run.tier}.json`, text);
  const compared = { run, comparison: before && compareRuns(before, run) };
  return [
    await store.writeReport("catalogue.json", text),
    await store.writeReport("catalogue.md", catalogueMarkdown(compared)),
    await store.writeReport("catalogue.html", await cataloguePage(compared)),
  ];
}

/** Apps that changed since a run or are new come first, then those with the oldest verdicts. */
export function changedFirst(apps: readonly CatalogueApp[], before: CatalogueRun | null): CatalogueApp[] {
  const known = new Map(before?.apps.map((app) => [app.source, app]));
  const order = (app: CatalogueApp): string => {
    const old = known.get(app.source);
    return old === undefined || old.revision !== app.revision ? "" : (old.certifiedAt ?? "");
  };
  return [...apps].sort((one, other) => order(one).localeCompare(order(other)));
}
