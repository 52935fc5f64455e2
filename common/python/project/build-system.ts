import { type Backend, dependency } from "./project-table.ts";
import { normalizeName, parseRequirement } from "./requirement.ts";
import { isTable, listOf, type ProjectFault, type Table, tableWith, text, textsOf, valueAt } from "./shape.ts";

/** The build backends that are known, by what build-backend names, with their distributions. */
const BACKENDS: Readonly<Record<string, string>> = {
  "setuptools.build_meta": "setuptools",
  "setuptools.build_meta:__legacy__": "setuptools",
  "hatchling.build": "hatchling",
  "hatchling.ouroboros": "hatchling",
  "flit_core.buildapi": "flit-core",
  "flit.buildapi": "flit",
  "poetry.core.masonry.api": "poetry-core",
  "poetry.masonry.api": "poetry",
  "pdm.backend": "pdm-backend",
  uv_build: "uv-build",
};
/** Distributions that bring no other backend. */
const BRING_NOTHING = new Set([
  ...Object.values(BACKENDS).filter((name) => !["flit", "poetry"].includes(name)),
  "wheel",
]);

const isReference = (value: string): boolean =>
  /^[_\p{XID_Start}][\p{XID_Continue}.]*(?::[\p{XID_Continue}.]+)?$/u.test(value);

const buildSystem = tableWith(
  {
    requires: listOf(dependency, '["setuptools>=77"]'),
    "build-backend": text(isReference, "pep517-backend-reference", 'Write build-backend = "setuptools.build_meta".'),
    "backend-path": listOf(text()),
  },
  ["requires"],
);

/** What builds a project: setuptools, where it does not say. */
export function backendOf(document: Table): Backend {
  const named = valueAt(document, "build-system", "build-backend") ?? "setuptools.build_meta";
  const distribution = BACKENDS[String(named)];
  if (valueAt(document, "build-system", "backend-path") !== undefined) return "other";
  return distribution === "setuptools" || distribution === "hatchling" ? distribution : "other";
}

/** What is wrong in `[build-system]` (PEP 517, PEP 518). */
export function buildSystemFaults(document: Table): readonly ProjectFault[] {
  const system = document["build-system"];
  if (system === undefined) return [];
  const faults = buildSystem(system, ["build-system"]);
  if (faults.length > 0 || !isTable(system) || system["backend-path"] !== undefined) return faults;
  const named = system["build-backend"];
  if (typeof named !== "string") return [];
  const at = ["build-system", "build-backend"];
  const [module = ""] = named.split(/[.:]/, 1);
  const distribution = BACKENDS[named];
  if (distribution === undefined) {
    const near = Object.keys(BACKENDS).find((each) => each.split(/[.:]/, 1)[0] === module);
    if (near === undefined) return [];
    return [
      { at, value: named, says: `Backend '${named}' is not available.`, advice: `Write build-backend = "${near}".` },
    ];
  }
  const required = textsOf(system.requires).map((each) => normalizeName(parseRequirement(each)?.name ?? ""));
  if (required.includes(distribution) || !required.every((name) => BRING_NOTHING.has(name))) return [];
  const advice = `Add "${distribution}" to requires under [build-system].`;
  return [
    { at: ["build-system", "requires"], value: system.requires, says: `Backend '${named}' is not available.`, advice },
  ];
}
