import { REQUIREMENTS } from "../../assistant/check/requirements.ts";
import { DYNAMIC } from "../requirements/registry.ts";

const ALL = [...REQUIREMENTS, ...DYNAMIC];

/** The ids of all requirements, static and dynamic. */
export const ALL_IDS: readonly string[] = ALL.map(({ id }) => id).sort();

/** The ids of those that a conformant app must meet. */
export const ALL_MUSTS: readonly string[] = ALL.filter(({ level }) => level === "MUST").map(({ id }) => id);
