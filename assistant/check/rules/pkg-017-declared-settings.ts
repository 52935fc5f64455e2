import { parseSettingDeclarations, SETTINGS_FILE } from "../../../robot/wire/apps/app-settings.ts";
import type { Rule } from "../requirement.ts";

/** The daemon shows and sets no settings of an app whose declaration it cannot read. */
export const declaredSettings: Rule = {
  id: "PKG-017",
  level: "SHOULD",
  section: "2.3",
  title: `What ${SETTINGS_FILE} declares can be set`,
  mutants: ["PKG-017-default-out-of-range", "PKG-017-no-json"],
  explanation:
    "The dashboard shows the settings that the app declares beside its main module, and read_settings() of the SDK returns " +
    "their values. With one field that does not fit, a person can set none of them. It is what the daemon reads.",
  example: {
    file: `my_app/${SETTINGS_FILE}`,
    wrong: '{ "speed": { "default": 400, "max": 300 } }',
    right: '{ "speed": { "default": 100, "max": 300 } }',
  },
  check: ({ files, packageFolder }) => {
    const file = `${packageFolder}/${SETTINGS_FILE}`;
    const text = files.get(file);
    if (text === undefined || text === null) return [];
    try {
      parseSettingDeclarations(text, file);
      return [];
    } catch (error) {
      return [{ message: (error as Error).message, file, line: null }];
    }
  },
};
