import { readdir } from "node:fs/promises";
import path from "node:path";
import type { FileCache } from "./file-cache.ts";
import {
  type EntryPoint,
  type Metadata,
  parseDirectUrl,
  parseEntryPoints,
  parseMetadata,
  parsePth,
} from "./formats.ts";

/** A Python distribution that offers robot apps. */
export interface Distribution {
  metadata: Metadata;
  entryPoints: EntryPoint[];
  /** The folder that it was installed from, when it was one. */
  folder: string | null;
  editable: boolean;
  /** Where its modules may be, in the order of import. */
  importPath: string[];
}

/** The distributions in a site-packages folder and in the folders that its `.pth` files add. */
export async function distributionsOf(sitePackages: string, cache: FileCache): Promise<Distribution[]> {
  const names = await namesIn(sitePackages);
  const pthFiles = names.filter((name) => name.endsWith(".pth"));
  const added = await Promise.all(pthFiles.map((name) => cache.read(path.join(sitePackages, name), parsePth)));
  const roots = [
    sitePackages,
    ...added.flatMap((folders) => folders ?? []).map((to) => path.resolve(sitePackages, to)),
  ];
  const found: Distribution[] = [];
  for (const root of roots) {
    const records = (root === sitePackages ? names : await namesIn(root)).filter(isRecord);
    const read = await Promise.all(records.map((name) => readRecord(path.join(root, name), roots, cache)));
    found.push(...read.filter((distribution) => distribution !== null));
  }
  return found;
}

/** `~` marks what pip was about to remove. */
function isRecord(name: string): boolean {
  return /\.(dist|egg)-info$/.test(name) && !name.startsWith("~");
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

async function readRecord(record: string, roots: string[], cache: FileCache): Promise<Distribution | null> {
  const entryPoints = await cache.read(path.join(record, "entry_points.txt"), parseEntryPoints);
  if (entryPoints === null || entryPoints.length === 0) return null;
  const metadata =
    (await cache.read(path.join(record, "METADATA"), parseMetadata)) ??
    (await cache.read(path.join(record, "PKG-INFO"), parseMetadata));
  if (metadata === null) return null;
  const direct = await cache.read(path.join(record, "direct_url.json"), parseDirectUrl);
  const { folder = null, editable = false } = direct ?? {};
  const own = editable && folder !== null ? [folder, path.join(folder, "src")] : [];
  return { metadata, entryPoints, folder, editable, importPath: [...roots, ...own] };
}
