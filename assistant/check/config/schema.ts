import { z } from "zod";

const Selector = z.string().min(1).describe("The id of a rule, as PKG-003, or the beginning of some, as PKG");

/** Settings of `check`. */
const CheckSettings = z
  .strictObject({
    select: z.array(Selector).optional().describe("Check these rules only"),
    ignore: z.array(Selector).optional().describe("Leave these rules out; publish checks all of them anyway"),
  })
  .describe("robot-app-assistant check");

/** Settings of `dev`. */
const DevSettings = z
  .strictObject({
    watch: z
      .array(z.string().min(1))
      .optional()
      .describe("Files and folders in the app that restart it although such files do not, for example README.md"),
    ignore: z.array(z.string().min(1)).optional().describe("Files that do not restart it, as in .gitignore"),
    port: z.int().min(0).max(65_535).optional().describe("Port of the daemon that dev starts; 0 takes a free one"),
  })
  .describe("robot-app-assistant dev");

/** `[tool.robot]` of a pyproject.toml. */
export const ToolRobot = z
  .strictObject({ check: CheckSettings.optional(), dev: DevSettings.optional() })
  .describe("Settings of robot-app-assistant");
export type ToolRobot = z.infer<typeof ToolRobot>;

/** The JSON Schema of a pyproject.toml with `[tool.robot]`, for editors; everything else in the file is allowed. */
export function editorSchema(): object {
  const { $schema, ...robot } = z.toJSONSchema(ToolRobot) as Record<string, unknown>;
  return {
    $schema,
    title: "pyproject.toml of a robot app",
    type: "object",
    properties: { tool: { type: "object", properties: { robot } } },
  };
}
