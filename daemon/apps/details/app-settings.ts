import path from "node:path";
import { z } from "zod";
import { ifUnusable } from "../../../common/machine/absent.ts";
import { readIfPresent } from "../../../common/machine/read-if-present.ts";
import {
  type AppSetting,
  allowedIn,
  parseSettingDeclarations,
  SETTINGS_FILE,
  SettingValue,
} from "../../../robot/wire/apps/app-settings.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { formatForMessage } from "../../../robot/wire/validation/format-for-message.ts";
import { readJson, writeJson } from "../../files/json-file.ts";

/** New values by the settings' names; null for the default. */
export const SettingChanges = z.record(z.string(), SettingValue.nullable());
export type SettingChanges = z.infer<typeof SettingChanges>;

const Values = z.record(z.string(), z.unknown());

/**
 * The settings that an app declares beside its main module, with their values.
 * @param moduleFile the main module
 * @param workFolder the app's working folder, which has the values that are set
 * @throws WorkbenchError `app-invalid` for a declaration that is not valid
 */
export async function readSettings(moduleFile: string, workFolder: string): Promise<AppSetting[]> {
  const file = path.join(path.dirname(moduleFile), SETTINGS_FILE);
  const text = await readIfPresent(file).catch(ifUnusable(null));
  if (text === null) return [];
  const declared = parseSettingDeclarations(text, file);
  const values = (await readJson(path.join(workFolder, SETTINGS_FILE), Values)) ?? {};
  return Object.entries(declared).map(([name, setting]) => {
    const kept = SettingValue.safeParse(Object.hasOwn(values, name) ? values[name] : undefined);
    const value = kept.success && allowedIn(setting, kept.data) === null ? kept.data : setting.default;
    return { name, ...setting, value };
  });
}

/**
 * Sets some of an app's settings; the app sees them when it reads its settings next.
 * @throws WorkbenchError `bad-request` for an unknown setting or a value that is not allowed, with what is; `app-invalid` as
 *   `readSettings`; `disk-full`
 */
export async function writeSettings(moduleFile: string, workFolder: string, changes: SettingChanges): Promise<void> {
  const settings = await readSettings(moduleFile, workFolder);
  for (const [name, value] of Object.entries(changes)) {
    const setting = settings.find((each) => each.name === name);
    if (setting === undefined) {
      const known = settings.length === 0 ? "The app declares none" : settings.map((each) => each.name).join(", ");
      throw new WorkbenchError("bad-request", `There is no setting ${formatForMessage(name)}. Settings: ${known}.`);
    }
    const allowed = value === null ? null : allowedIn(setting, value);
    if (allowed !== null)
      throw new WorkbenchError("bad-request", `${name} is ${formatForMessage(value)}; it must be ${allowed}.`);
  }
  const kept = settings.flatMap(({ name, value, default: usual }) => {
    const next = Object.hasOwn(changes, name) ? (changes[name] ?? usual) : value;
    return next === usual ? [] : [[name, next] as const];
  });
  await writeJson(path.join(workFolder, SETTINGS_FILE), Object.fromEntries(kept), { what: "The app's settings" });
}
