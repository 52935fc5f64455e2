import { satisfies } from "@renovatebot/pep440";
import { isSpecifier } from "./requirement.ts";

/** The versions of Python that apps run on, the oldest first. */
export const PYTHON_VERSIONS = ["3.10", "3.11", "3.12", "3.13", "3.14"] as const;
export type PythonVersion = (typeof PYTHON_VERSIONS)[number];

/** The newest grammar accepts the most. */
export const NEWEST_PYTHON: PythonVersion = "3.14";

/** More patch releases than any version has. */
const PATCHES = 30;

/** Whether a specifier such as `>=3.10.4,<4` admits some release of a version. One that is none admits all. */
export function admits(specifier: string | null, version: PythonVersion): boolean {
  if (specifier === null || specifier.trim() === "" || !isSpecifier(specifier)) return true;
  return Array.from({ length: PATCHES }, (_, patch) => `${version}.${patch}`).some((each) =>
    satisfies(each, specifier),
  );
}

/** The lowest version that a specifier admits, whose syntax a project may use; the oldest where it admits none. */
export const lowestPython = (specifier: string | null): PythonVersion =>
  PYTHON_VERSIONS.find((version) => admits(specifier, version)) ?? PYTHON_VERSIONS[0];
