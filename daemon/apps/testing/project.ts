import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

export interface ProjectFiles {
  name: string;
  version?: string;
  /** Text of `<name>/main.py`. */
  main?: string;
  /** Packages that the build ships. Default: the app's own. */
  packages?: string[];
  /** More lines under `[project]`. */
  more?: string;
}

/** Writes an app's project; its distribution is named with hyphens, its module with underscores. */
export async function writeProject(folder: string, files: ProjectFiles): Promise<string> {
  const { name, version = "1.0", main = "", packages = [name], more = "" } = files;
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, "__init__.py"), "");
  await writeFile(path.join(folder, name, "main.py"), main);
  const pyproject = `[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"
[project]
name = "${name.replaceAll("_", "-")}"
version = "${version}"
${more}
[project.entry-points.robot_apps]
${name} = "${name}.main:App"
[tool.setuptools]
packages = ${JSON.stringify(packages)}
`;
  await writeFile(path.join(folder, "pyproject.toml"), pyproject);
  return folder;
}
