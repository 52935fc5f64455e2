import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import { DIALECTS, type Dialect, dialectOfGroup, listOfDialects } from "../../../../robot/dialects/dialects.ts";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import { type EntryPoint, parseEntryPoint } from "../../catalogue/formats.ts";
import { isAppName } from "../../catalogue/names.ts";

/** What the installer needs to know about an app's folder. */
export interface Project {
  /** The distribution's name. */
  name: string;
  /** Its apps, in the groups of all dialects. */
  entryPoints: EntryPoint[];
  /** The dialect of its first app. */
  dialect: Dialect;
  /** What has to be installed to build it (PEP 518). */
  buildRequires: string[];
  /** What it needs to run; null where the build decides. */
  dependencies: string[] | null;
  /** The versions of Python that it runs on, as a specifier: `>=3.12`; null for all. */
  requiresPython: string | null;
}

/** Distributions that all apps need: an app with such a name would replace them. */
const RESERVED_DISTRIBUTIONS = [...DIALECTS.map(({ sdk }) => sdk.distribution), "pip", "setuptools"];

const Pyproject = z.object({
  project: z.object({
    name: z.string().min(1),
    "requires-python": z.string().optional(),
    dependencies: z.array(z.string()).default([]),
    dynamic: z.array(z.string()).default([]),
    "entry-points": z.record(z.string(), z.record(z.string(), z.string())).default({}),
  }),
  "build-system": z.object({ requires: z.array(z.string()) }).default({ requires: ["setuptools"] }),
});

/** Reads the `pyproject.toml` of an app. @throws WorkbenchError `app-invalid` with what is missing */
export async function readProject(folder: string): Promise<Project> {
  const text = await readFile(path.join(folder, "pyproject.toml"), "utf8").catch(() => {
    throw invalid("there is no pyproject.toml in its folder");
  });
  const next = "This is not a robot app; run robot-app-assistant check on it.";
  const data = parseOrThrow(Pyproject, parseToml(text), "pyproject.toml", { next, code: "app-invalid" });
  const groups = data.project["entry-points"];
  const entryPoints = Object.entries(groups).flatMap(([group, entries]) => {
    const dialect = dialectOfGroup(group);
    if (dialect === undefined) return [];
    return Object.entries(entries).map(([key, value]) => checkEntryPoint(key, value, dialect));
  });
  const [first] = entryPoints;
  if (first === undefined) {
    const wanted = listOfDialects(({ group }) => `project.entry-points.${group}`);
    throw invalid(`pyproject.toml names no app under ${wanted}`);
  }
  if (RESERVED_DISTRIBUTIONS.some((name) => sameName(name, data.project.name))) {
    throw invalid(
      `its distribution is called ${data.project.name}, a name that is reserved for the environment of all apps`,
    );
  }
  return {
    name: data.project.name,
    dialect: first.dialect,
    entryPoints,
    buildRequires: data["build-system"].requires,
    dependencies: data.project.dynamic.includes("dependencies") ? null : data.project.dependencies,
    requiresPython: data.project["requires-python"]?.trim() || null,
  };
}

function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const [what] = String((error as Error).message).split("\n", 1); // The excerpt of the file that follows does not fit in a sentence.
    throw invalid(`pyproject.toml does not parse: ${what}`);
  }
}

function checkEntryPoint(key: string, value: string, dialect: Dialect): EntryPoint {
  const point = parseEntryPoint(key, value, dialect);
  if (point !== null && isAppName(key)) return point;
  throw invalid(`pyproject.toml: the entry point ${key} = "${value}" is not of the form name = "module.main:Class"`);
}

function invalid(what: string): WorkbenchError {
  return new WorkbenchError("app-invalid", `This is not a robot app: ${what}. Run robot-app-assistant check on it.`);
}
