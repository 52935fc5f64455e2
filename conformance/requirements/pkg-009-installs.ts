import type { DynamicRequirement } from "./requirement.ts";

export const installs: DynamicRequirement = {
  id: "PKG-009",
  level: "MUST",
  section: "2.1",
  title: "Installs in a clean environment, registers its entry point, ships static/, uninstalls cleanly",
  mutants: ["PKG-009-static-not-shipped", "PKG-009-needs-what-is-not-there", "PKG-009-main-not-shipped"],
  scenes: [],
  judge({ facts: { install } }) {
    if (install === undefined) return { skip: "The app was not installed." };
    const { missing, remains } = install;
    const shipped = "list static/ as package data (tool.setuptools.package-data)";
    return {
      observed: [
        ...(missing.length === 0
          ? []
          : [{ message: `Installed, the app lacks ${missing.length} files of static/ (${missing[0]}): ${shipped}.` }]),
        ...remains.map((left) => ({ message: `${left} is still there after the app was uninstalled.` })),
      ],
    };
  },
};
