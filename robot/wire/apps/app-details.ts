import { z } from "zod";
import { AppSetting } from "./app-settings.ts";
import { AppInfo } from "./app-status.ts";

/** Something of the robot or the machine that the code of an app uses. */
export const AppUse = z.object({
  what: z.enum(["camera", "microphone", "speaker", "network"]),
  file: z.string().describe("Path inside the app's package"),
  line: z.int(),
});
export type AppUse = z.infer<typeof AppUse>;

/** What a certification said of an app. */
export const AppVerdict = z.object({
  verdict: z.enum(["conformant", "not-conformant", "inconclusive", "error"]),
  at: z.number().describe("Milliseconds since the Unix epoch"),
  of_installed: z.boolean().describe("Whether the files that are installed were judged, not another state of them"),
});
export type AppVerdict = z.infer<typeof AppVerdict>;

/** What a person wants to know of an installed app. */
export const AppDetails = z.object({
  info: AppInfo,
  readme: z.string().nullable().describe("Its README without the YAML head; null when the package has none"),
  picture: z.string().nullable().describe("The emoji of its README"),
  code_bytes: z.int().describe("Size of its package; with an environment of its own, of that"),
  data_bytes: z.int().describe("Size of the files that it wrote into its working folder"),
  uses: z
    .array(AppUse)
    .nullable()
    .describe("What its code uses, as far as reading it shows; null when nothing reads it"),
  verdict: AppVerdict.nullable().describe("As its folder or space has it, which is not verified; null without one"),
  restart_after_crash: z.boolean(),
  settings: z.array(AppSetting).describe("What its robot_settings.json declares, with the values"),
  settings_error: z.string().nullable().describe("Why its robot_settings.json is not valid"),
});
export type AppDetails = z.infer<typeof AppDetails>;
