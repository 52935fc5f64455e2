import { backendOf, buildSystemFaults } from "./build-system.ts";
import { hatchlingFaults } from "./hatchling.ts";
import { projectTableFaults } from "./project-table.ts";
import { setuptoolsFaults } from "./setuptools.ts";
import { type ProjectFault, pathText, type Table } from "./shape.ts";

/**
 * What the build of a project would refuse in its `pyproject.toml`, as messages with the value, what the build says and what
 * is right: by the standards (PEP 440, 508, 517, 518, 621, 639), and by the rules of setuptools and hatchling where these build it.
 * @param paths the project's files, with "/" between folders
 */
export function projectFaults(document: Table, paths: readonly string[]): FaultText[] {
  const backend = backendOf(document);
  const own = { setuptools: setuptoolsFaults, hatchling: hatchlingFaults, other: () => [] }[backend];
  const table = document.project === undefined ? [] : projectTableFaults(document.project, backend);
  const found = [...buildSystemFaults(document), ...table, ...own(document, paths)];
  return found.map((fault) => ({ at: fault.at, message: textOf(fault, backend === "other" ? "the build" : backend) }));
}

/** A fault as a message, and the keys that lead to the value. */
export interface FaultText extends Pick<ProjectFault, "at"> {
  message: string;
}

function textOf({ at, value, says, advice }: ProjectFault, builder: string): string {
  const shown = value === undefined ? "is missing" : `is ${JSON.stringify(value)}`;
  const sentence = /[.!]$/.test(says) ? says : `${says}.`;
  return `${pathText(at)} ${shown}; ${builder} refuses it: ${sentence} ${advice}`;
}
