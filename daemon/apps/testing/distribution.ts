import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export interface TestDistribution {
  name: string;
  /** Default: 1.0. */
  version?: string;
  /** Text of each file, by path relative to site-packages. */
  files?: Readonly<Record<string, string>>;
  /** A robot app that it offers: `name = module:Class`. */
  entryPoint?: string;
  /** A requirement of it. */
  requires?: string;
  /** Further lines of RECORD: files that it claims to have. */
  claims?: readonly string[];
  /** Leaves its files out of RECORD. */
  unlisted?: boolean;
}

/** Packs a distribution into a wheel, which pip installs without a build. */
export async function packWheel(folder: string, distribution: TestDistribution): Promise<void> {
  const { name, version = "1.0" } = distribution;
  const content = await mkdtemp(path.join(folder, "content-"));
  await addDistribution(content, distribution);
  const wheel = path.join(folder, `${moduleName(name)}-${version}-py3-none-any.whl`);
  await promisify(execFile)(path.resolve(".venv/bin/python"), ["-m", "zipfile", "-c", wheel, `${content}/.`]);
  await rm(content, { recursive: true });
}

/** Writes an installed distribution: its files, and the metadata that an installer writes. */
export async function addDistribution(
  sitePackages: string,
  { name, version = "1.0", files = {}, entryPoint, requires, claims = [], unlisted = false }: TestDistribution,
): Promise<void> {
  const info = `${moduleName(name)}-${version}.dist-info`;
  const all: Record<string, string> = {
    ...files,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${requires ? `Requires-Dist: ${requires}\n` : ""}`,
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${info}/INSTALLER`]: "pip\n",
    ...(entryPoint && { [`${info}/entry_points.txt`]: `[robot_apps]\n${entryPoint}\n` }),
  };
  const record = [...(unlisted ? [] : Object.keys(all)), ...claims, `${info}/RECORD`]
    .map((file) => `${file},,\n`)
    .join("");
  for (const [file, text] of Object.entries({ ...all, [`${info}/RECORD`]: record })) {
    await mkdir(path.dirname(path.join(sitePackages, file)), { recursive: true });
    await writeFile(path.join(sitePackages, file), text);
  }
}

const moduleName = (name: string): string => name.replaceAll("-", "_");
