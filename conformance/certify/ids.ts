import { REQUIREMENTS } from "../../assistant/check/requirements.ts";
import { DYNAMIC } from "../requirements/registry.ts";

/** The ids of all requirements, static and dynamic. */
export const ALL_IDS: readonly string[] = [...REQUIREMENTS, ...DYNAMIC].map(({ id }) => id).sort();
