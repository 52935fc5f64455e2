import { normalize } from "../../robot/kinematics/vector.ts";

/** Towards the lamp; as on the dashboard. */
export const LIGHT = normalize([0.24, 0.42, 0.58]);
/** Share of the light that comes from everywhere, and of the table's light that a shadow leaves. */
export const AMBIENT = 0.5;
export const SHADOW = 0.66;
