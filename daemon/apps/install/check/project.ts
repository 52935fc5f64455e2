import { readFile } from "node:fs/promises";
import path from "node:path";
import { isTable } from "../../../../common/python/project/shape.ts";
import { DIALECTS, type Dialect, dialectOfGroup, listOfDialects } from "../../../../robot/dialects/dialects.ts";
import { faultsOf, parseProjectFile } from "../../../../robot/project/project-file.ts";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { type EntryPoint, parseEntryPoint } from "../../catalogue/formats.ts";
import { isAppName } from "../../catalogue/names.ts";
import { projectEntriesIn } from "../fetch/digest.ts";

/** What the installer needs to know about an app's folder. */
export interface Project {
  /** The distribution's name. */
  name: string;
  /** Its apps, in the groups of all dialects. */
  entryPoints: EntryPoint[];
  /** The dialect of its first app. */
  dialect: Dialect;
  /** What has to be installed to build it (PEP 518). */
  buildRequires: readonly string[];
  /** What it needs to run; null where the build decides. */
  dependencies: readonly string[] | null;
  /** The versions of Python that it runs on, as a specifier: `>=3.12`; null for all. */
  requiresPython: string | null;
}

/** Distributions that all apps need: an app with such a name would replace them. */
const RESERVED_DISTRIBUTIONS = [...DIALECTS.map(({ sdk }) => sdk.distribution), "pip", "setuptools"];

/** Reads the `pyproject.toml` of an app. @throws WorkbenchError `app-invalid` with what is missing, or what its build refuses */
export async function readProject(folder: string): Promise<Project> {
  const text = await readFile(path.join(folder, "pyproject.toml"), "utf8").catch(() => {
    throw invalid("there is no pyproject.toml in its folder");
  });
  const parsed = parseProjectFile(text);
  if ("error" in parsed) throw invalid(`pyproject.toml does not parse: ${parsed.error.message}`);
  const { groups, dependencies, buildRequires, requiresPython } = parsed.value;
  const name = String(parsed.value.name);
  const entryPoints = Object.entries(groups).flatMap(([group, entries]) => {
    const dialect = dialectOfGroup(group);
    if (dialect === undefined || !isTable(entries)) return [];
    return Object.entries(entries).map(([key, value]) => checkEntryPoint(key, String(value), dialect));
  });
  const [first] = entryPoints;
  if (first === undefined) {
    const wanted = listOfDialects(({ group }) => `project.entry-points.${group}`);
    throw invalid(`pyproject.toml names no app under ${wanted}`);
  }
  const [fault] = faultsOf(
    parsed.value,
    (await projectEntriesIn(folder)).map(({ name }) => name),
  );
  if (fault !== undefined) throw invalid(`pyproject.toml: ${fault.message.replace(/\.$/, "")}`);
  if (RESERVED_DISTRIBUTIONS.some((each) => sameName(each, name)))
    throw invalid(`its distribution is called ${name}, a name that is reserved for the environment of all apps`);
  return { name, dialect: first.dialect, entryPoints, buildRequires, dependencies, requiresPython };
}

function checkEntryPoint(key: string, value: string, dialect: Dialect): EntryPoint {
  const point = parseEntryPoint(key, value, dialect);
  if (point !== null && isAppName(key)) return point;
  throw invalid(`pyproject.toml: the entry point ${key} = "${value}" is not of the form name = "module.main:Class"`);
}

function invalid(what: string): WorkbenchError {
  return new WorkbenchError("app-invalid", `This is not a robot app: ${what}. Run robot-app-assistant check on it.`);
}
