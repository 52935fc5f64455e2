import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

interface ProjectFiles {
  /** Name of the app and of its package. */
  name: string;
  /** Name of the distribution. Default: the app's name with hyphens. */
  distribution?: string;
  version?: string;
  /** Text of `<name>/main.py`. */
  main?: string;
  /** Name of the entry point. Default: the app's name. */
  entryPoint?: string;
  /** Module of the entry point. Default: `<name>.main`. */
  module?: string;
  /** Packages that the build ships. Default: the app's package. */
  packages?: string[];
  /** Single modules that the build ships. */
  modules?: string[];
  /** Files that the build ships by their folder in the environment. */
  dataFiles?: Readonly<Record<string, readonly string[]>>;
  /** Further lines under `[project]` and tables after it. */
  more?: string;
}

/** Writes the project of an app. */
export async function writeProject(folder: string, files: ProjectFiles): Promise<string> {
  const { name, version = "1.0", main = "", packages = [name], modules = [], more = "", dataFiles } = files;
  const { distribution = name.replaceAll("_", "-"), entryPoint = name, module = `${name}.main` } = files;
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, "__init__.py"), "");
  await writeFile(path.join(folder, name, "main.py"), main);
  const pyproject = `[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"
[project]
name = "${distribution}"
version = "${version}"
${more}
[project.entry-points.robot_apps]
${entryPoint} = "${module}:App"
[tool.setuptools]
packages = ${JSON.stringify(packages)}
py-modules = ${JSON.stringify(modules)}
`;
  const data = Object.entries(dataFiles ?? {}).map(([to, from]) => `"${to}" = ${JSON.stringify(from)}\n`);
  const table = data.length === 0 ? "" : `[tool.setuptools.data-files]\n${data.join("")}`;
  await writeFile(path.join(folder, "pyproject.toml"), pyproject + table);
  return folder;
}
