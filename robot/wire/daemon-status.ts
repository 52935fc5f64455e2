import { z } from "zod";

/** What clients of any version may rely on in the answer of `GET /api/daemon/status`. */
export const DaemonStatus = z.looseObject({
  state: z.string(),
  version: z.string(),
  error: z.string().nullable(),
  simulation_enabled: z.boolean().optional(),
  backend_status: z.looseObject({ motor_control_mode: z.string() }).nullish(),
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;
