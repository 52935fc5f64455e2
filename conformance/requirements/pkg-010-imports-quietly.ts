import type { DynamicRequirement } from "./requirement.ts";

export const importsQuietly: DynamicRequirement = {
  id: "PKG-010",
  level: "MUST",
  section: "2.3",
  title: "Importing the app does nothing to the rest of the world",
  mutants: ["PKG-010-starts-a-thread", "PKG-010-writes-a-file"],
  scenes: [],
  judge({ facts: { imports } }) {
    if (imports === undefined) return { skip: "The app was not imported." };
    if (imports.error !== null) return { skip: `The app could not be imported: ${imports.error}.` };
    return {
      observed: imports.effects.map(({ what, file, line }) => ({
        message: `Merely imported, the app ${what}. Do that in run(), or beneath if __name__ == "__main__".`,
        at: { file, line },
      })),
    };
  },
};
