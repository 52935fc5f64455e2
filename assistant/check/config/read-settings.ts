import type { z } from "zod";
import { closestMatch } from "../../../common/closest-match.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import { parseFile } from "../app/parsed.ts";
import { parsePyproject, tableOf, valueAt } from "../app/pyproject.ts";
import type { Files } from "../app/read-files.ts";
import { ToolRobot } from "./schema.ts";

/**
 * The settings in `[tool.robot]` of an app's pyproject.toml; none when it has none or does not parse, which PKG-002 reports.
 * @throws WorkbenchError `usage` for an unknown key, with the key that may have been meant, and for a value of another type
 */
export function readSettings(files: Files): ToolRobot {
  const parsed = parseFile(files.get("pyproject.toml"), parsePyproject);
  const given = parsed.status === "parsed" ? valueAt(parsed.value.document, "tool", "robot") : undefined;
  if (given === undefined) return {};
  rejectUnknownKeys(given, ToolRobot, "tool.robot");
  return parseOrThrow(ToolRobot, given, "pyproject.toml: tool.robot", { code: "usage" });
}

function rejectUnknownKeys(value: unknown, schema: z.ZodObject, path: string): void {
  const known = Object.keys(schema.shape);
  for (const [key, inner] of Object.entries(tableOf(value) ?? {})) {
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
