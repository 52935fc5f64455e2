import type { Target } from "../../robot/wire/robot/target.ts";

/**
 * The one target that has the effect of both. Head and antennas that a target leaves out stay as they were last
 * commanded; a body yaw that it leaves out is chosen by the robot, unless the target keeps it.
 */
export const mergeTargets = (older: Target, newer: Target): Target => ({
  head: newer.head ?? older.head ?? null,
  antennas: newer.antennas ?? older.antennas ?? null,
  bodyYaw: newer.bodyYaw ?? (newer.keepsBodyYaw ? older.bodyYaw : null) ?? null,
  ...(newer.keepsBodyYaw !== undefined && { keepsBodyYaw: newer.keepsBodyYaw }),
});
