// What the runs of a soak leave: the JSON of `certify --catalogue`, and the records of its store.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ name: string, verdict: string, known: boolean, problems: { id: string }[], cost: { seconds: number, cpuSeconds: number, memoryBytes: number, diskBytes: number } | null, attempts: { failure: { kind: string } | null }[] }} App */
/** @typedef {{ apps: App[], duration: number }} Run duration: seconds */

/** Whether an app got the verdict that it was made to get. @param {App} app @param {import("./apps.mjs").Kind[]} plan */
export function isAsPlanned({ name, verdict, problems }, plan) {
  const kind = plan[Number(name.split("-")[0])];
  const found = kind?.requirement === null || problems.some(({ id }) => id === kind?.requirement);
  return verdict === kind?.verdict && found;
}

const verdictsIn = (/** @type {string} */ store) => join(store, "verdicts");

/** File names of the records in a store. @param {string} store */
export function recordsIn(store) {
  try {
    return readdirSync(verdictsIn(store)).flatMap((part) => readdirSync(join(verdictsIn(store), part)));
  } catch {
    return [];
  }
}

/** Size of the records in a store. @param {string} store */
export function recordBytes(store) {
  return readdirSync(verdictsIn(store), { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}
