import { z } from "zod";
import { WorkbenchError } from "../errors.ts";
import { parseOrThrow } from "../validation/parse-or-throw.ts";

/** The declaration of an app's settings in its package, and the values that are set in its working folder. */
export const SETTINGS_FILE = "robot_settings.json";

export const SettingValue = z.union([z.boolean(), z.number(), z.string().max(1000)]);
export type SettingValue = z.infer<typeof SettingValue>;

const Declaration = z.strictObject({
  default: SettingValue.describe("Says whether it is true or false, a number or a text"),
  title: z.string().min(1).max(80).optional().describe("For people; the name unless given"),
  min: z.number().optional(),
  max: z.number().optional(),
  choices: z.array(z.string().max(200)).min(1).max(100).optional().describe("The texts that it can be"),
});
type Declaration = z.infer<typeof Declaration>;

/** What an app declares that a person can set: by name. */
const SettingDeclarations = z
  .record(z.string().regex(/^[A-Za-z_]\w{0,63}$/), Declaration)
  .check(({ value, issues }) => {
    for (const [name, setting] of Object.entries(value))
      for (const [field, wanted] of [...misfitsOf(setting), ["default", allowedIn(setting, setting.default)] as const])
        if (wanted !== null)
          issues.push({ code: "custom", message: wanted, path: [name, field], input: value, continue: true });
  });

/**
 * Parses a declaration of settings.
 * @param file where it is, for messages
 * @throws WorkbenchError `app-invalid` with each field that is wrong, the value there and what is allowed
 */
export function parseSettingDeclarations(text: string, file: string): z.infer<typeof SettingDeclarations> {
  let declared: unknown;
  try {
    declared = JSON.parse(text);
  } catch (error) {
    throw new WorkbenchError("app-invalid", `${file} is no JSON: ${(error as Error).message}.`);
  }
  return parseOrThrow(SettingDeclarations, declared, SETTINGS_FILE, { code: "app-invalid" });
}

/** The bounds that do not fit the kind of a setting, which its default says, and what they must be. */
function misfitsOf(setting: Declaration): (readonly [field: string, wanted: string])[] {
  const kind = typeof setting.default;
  const misfits = Object.entries({ min: "number", max: "number", choices: "string" }).filter(
    ([field, needed]) => kind !== needed && setting[field as "min"] !== undefined,
  );
  return misfits.map(([field, needed]) => [field, `left out, unless the default is a ${needed}`]);
}

/** A setting of an app, and its value. */
export const AppSetting = z.object({ name: z.string(), ...Declaration.shape, value: SettingValue });
export type AppSetting = z.infer<typeof AppSetting>;

/** What a setting must be, as the words after "it must be"; null when a value is allowed. */
export function allowedIn({ default: usual, min, max, choices }: Declaration, value: unknown): string | null {
  if (typeof usual === "boolean") return typeof value === "boolean" ? null : "true or false";
  if (typeof usual === "string") {
    if (typeof value !== "string") return "a text";
    return choices === undefined || choices.includes(value) ? null : `one of ${choices.join(", ")}`;
  }
  const fits = typeof value === "number" && value >= (min ?? value) && value <= (max ?? value);
  if (fits) return null;
  const bounds = [min === undefined ? "" : ` of at least ${min}`, max === undefined ? "" : ` of at most ${max}`];
  return `a number${bounds.filter((bound) => bound !== "").join(" and")}`;
}
