import { z } from "zod";

/** How a certification ended without a verdict. */
const FAILURES = ["harness", "deadline", "memory", "crash", "fetch"] as const;

export const failure = z.object({
  /** `harness`: certify says so; `deadline`, `memory`: a limit of the app; `crash`: the process of the certification. */
  kind: z.enum(FAILURES),
  message: z.string(),
  /** The last output of the process. */
  output: z.string(),
});
/** Why a certification gave no verdict. */
export type Failure = z.infer<typeof failure>;
