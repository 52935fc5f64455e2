import { z } from "zod";

/** Where an installed app comes from. */
export const AppOrigin = z.object({
  kind: z.enum(["local", "hf_space"]),
  from: z.string().describe("Folder of this machine, or address of the space"),
  revision: z.string().nullable().describe("The commit of a space, or a digest of a folder's files"),
  wheel: z
    .string()
    .optional()
    .describe("`dirHash` of the wheel that was built and installed; left out for a link to a folder"),
});
export type AppOrigin = z.infer<typeof AppOrigin>;
