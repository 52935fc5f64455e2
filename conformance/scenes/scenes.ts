import { firstRun } from "./first-run.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { stopWhileConnecting, stopWhileImporting } from "./stops.ts";

/** All ways in which an app is run, in the order in which they are played. */
export const SCENES: readonly ScenePlan[] = [firstRun, stopWhileImporting, stopWhileConnecting];
