import { connects } from "./life-001-connects.ts";
import { stops } from "./life-003-stops.ts";
import { noDescendants } from "./life-006-no-descendants.ts";
import type { DynamicRequirement } from "./requirement.ts";

/** All that is asked of a running app, in the order of ids. What is asked of its files: assistant/check/requirements.ts. */
export const DYNAMIC: readonly DynamicRequirement[] = [connects, stops, noDescendants];
