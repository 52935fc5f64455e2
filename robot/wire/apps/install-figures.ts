import { z } from "zod";

/** What an install added and how long it took; only in the result of its job. */
export const InstallFigures = z.object({
  packages: z.int().min(0).describe("The app and the packages that were not there before"),
  bytes: z.int().min(0),
  seconds: z.number().min(0),
});
export type InstallFigures = z.infer<typeof InstallFigures>;
