import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../../../common/files/sha256.ts";
import { ifAbsent } from "../../../common/machine/absent.ts";
import {
  type EntryPoint,
  type Metadata,
  parseDirectUrl,
  parseEntryPoints,
  parseMetadata,
  parsePth,
} from "./formats.ts";
import type { ParsedFileCache } from "./parsed-file-cache.ts";

/** A Python distribution that contains robot apps. */
export interface Distribution {
  metadata: Metadata;
  entryPoints: EntryPoint[];
  /** The folder that it was installed from; null for a wheel or an index. */
  folder: string | null;
  editable: boolean;
  /** Where METADATA and RECORD are. */
  metadataFolder: string;
  /** A digest of the installer's list of its files; null when there is none. */
  installation: string | null;
  /** Folders that its modules may be in, in the order in which Python looks. */
  importPath: string[];
}

/** The distributions in a site-packages folder and in the folders that its `.pth` files add. */
export async function distributionsOf(sitePackages: string, cache: ParsedFileCache): Promise<Distribution[]> {
  const names = await namesIn(sitePackages);
  const pthFiles = names.filter((name) => name.endsWith(".pth"));
  const added = await Promise.all(pthFiles.map((name) => cache.read(path.join(sitePackages, name), parsePth)));
  const roots = [
    sitePackages,
    ...added.flatMap((folders) => folders ?? []).map((to) => path.resolve(sitePackages, to)),
  ];
  const found: Distribution[] = [];
  for (const root of roots) {
    const folders = (root === sitePackages ? names : await namesIn(root)).filter(isMetadataFolder);
    const read = await Promise.all(folders.map((name) => readDistribution(path.join(root, name), roots, cache)));
    found.push(...read.filter((distribution) => distribution !== null));
  }
  return found;
}

/** A name that begins with `~` is a folder that pip was about to remove. */
function isMetadataFolder(name: string): boolean {
  return /\.(dist|egg)-info$/.test(name) && !name.startsWith("~");
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ifAbsent<string[]>([]))).sort();
}

async function readDistribution(
  metadataFolder: string,
  roots: string[],
  cache: ParsedFileCache,
): Promise<Distribution | null> {
  const entryPoints = await cache.read(path.join(metadataFolder, "entry_points.txt"), parseEntryPoints);
  if (entryPoints === null || entryPoints.length === 0) return null;
  const metadata =
    (await cache.read(path.join(metadataFolder, "METADATA"), parseMetadata)) ??
    (await cache.read(path.join(metadataFolder, "PKG-INFO"), parseMetadata));
  if (metadata === null) return null;
  const direct = await cache.read(path.join(metadataFolder, "direct_url.json"), parseDirectUrl);
  const { folder = null, editable = false } = direct ?? {};
  const own = editable && folder !== null ? [folder, path.join(folder, "src")] : [];
  const installation = await cache.read(path.join(metadataFolder, "RECORD"), sha256);
  return { metadata, entryPoints, folder, editable, metadataFolder, installation, importPath: [...roots, ...own] };
}

/** The file of a module, `hello_robot.main`, in the first folder that has it; null where none does. */
export function moduleFileIn(importPath: readonly string[], module: string): string | null {
  const files = importPath.map((root) => path.join(root, `${module.replaceAll(".", "/")}.py`));
  return files.find((file) => existsSync(file)) ?? null;
}
