import { z } from "zod";
import { closestMatch } from "../../common/closest-match.ts";
import { isTable, valueAt } from "../../common/python/project/shape.ts";
import { parseProjectFile } from "../../robot/project/project-file.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { parseFile } from "./app/parsed.ts";
import type { Files } from "./app/read-files.ts";
import type { Rule } from "./requirement.ts";
import { selectRules } from "./select-rules.ts";

const Selector = z.string().min(1).describe("The id of a rule, as PKG-003, or the beginning of some, as PKG");

const CheckSettings = z
  .strictObject({
    select: z.array(Selector).optional().describe("Check these rules only"),
    ignore: z.array(Selector).optional().describe("Leave these rules out; publish checks all of them anyway"),
  })
  .describe("robot-app-assistant check");

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

export type DevSettings = z.infer<typeof DevSettings>;

/** `[tool.robot]` of a pyproject.toml. */
const ToolRobot = z
  .strictObject({ check: CheckSettings.optional(), dev: DevSettings.optional() })
  .describe("Settings of robot-app-assistant");
type ToolRobot = z.infer<typeof ToolRobot>;

/**
 * The settings in `[tool.robot]` of an app's pyproject.toml; none when it has none or does not parse, which PKG-002 reports.
 * @throws WorkbenchError `usage` for an unknown key, with the key that may have been meant, and for a value of another type
 */
export function readSettings(files: Files): ToolRobot {
  const parsed = parseFile(files.get("pyproject.toml"), parseProjectFile);
  const given = parsed.status === "parsed" ? valueAt(parsed.value.document, "tool", "robot") : undefined;
  if (given === undefined) return {};
  rejectUnknownKeys(given, ToolRobot, "tool.robot");
  return parseOrThrow(ToolRobot, given, "pyproject.toml: tool.robot", { code: "usage" });
}

/** The rules that the settings of an app select. @throws WorkbenchError `usage` for invalid settings */
export const rulesOfSettings = (files: Files): readonly Rule[] =>
  selectRules(readSettings(files).check ?? {}, "tool.robot.check of pyproject.toml");

function rejectUnknownKeys(value: unknown, schema: z.ZodObject, path: string): void {
  const known = Object.keys(schema.shape);
  for (const [key, inner] of Object.entries(isTable(value) ? value : {})) {
    const field = schema.shape[key];
    if (field === undefined) {
      const near = closestMatch(key, known);
      const next = near === undefined ? `Known keys: ${known.join(", ")}.` : `Did you mean ${near}?`;
      throw new WorkbenchError("usage", `pyproject.toml has an unknown key ${path}.${key}. ${next}`);
    }
    const type = "unwrap" in field ? (field as z.ZodOptional).unwrap() : field;
    if ("shape" in type) rejectUnknownKeys(inner, type as z.ZodObject, `${path}.${key}`);
  }
}

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
