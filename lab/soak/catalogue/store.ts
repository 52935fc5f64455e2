// What the runs of a soak leave: the JSON of `certify --catalogue`, and the records of its store.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Kind } from "./apps.ts";

export interface AppResult {
  name: string;
  verdict: string;
  known: boolean;
  problems: { id: string }[];
  cost: { seconds: number; cpuSeconds: number; memoryBytes: number; diskBytes: number } | null;
  attempts: { failure: { kind: string } | null }[];
}

export interface Run {
  apps: AppResult[];
  /** Seconds. */
  duration: number;
}

/** Whether an app got the verdict that it was made to get. */
export function isAsPlanned({ name, verdict, problems }: AppResult, plan: Kind[]) {
  const kind = plan[Number(name.split("-")[0])];
  const found = kind?.requirement === null || problems.some(({ id }) => id === kind?.requirement);
  return verdict === kind?.verdict && found;
}

const verdictsIn = (store: string) => join(store, "verdicts");

/** File names of the records in a store. */
export function recordsIn(store: string) {
  try {
    return readdirSync(verdictsIn(store)).flatMap((part) => readdirSync(join(verdictsIn(store), part)));
  } catch {
    return [];
  }
}

/** Size of the records in a store. */
export function recordBytes(store: string) {
  return readdirSync(verdictsIn(store), { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}
