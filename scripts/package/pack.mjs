// Packs the package, as `npm publish` would.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "../setup/steps.mjs";

/** Largest tarball that may be published, in bytes. */
export const MAX_BYTES = 6_000_000;

/**
 * @param {string} folder for the tarball
 * @param {string[]} [options] of `npm pack`
 * @returns {Promise<{ file: string, size: number, files: string[] }>}
 */
export async function pack(folder, options = []) {
  mkdirSync(folder, { recursive: true });
  const output = await run("npm", ["pack", "--json", "--loglevel=error", "--pack-destination", folder, ...options]);
  // Scripts that npm runs before may have printed lines of their own.
  const listed = JSON.parse(output.slice(output.search(/^[[{]/m)));
  const [{ filename, size, files }] = Array.isArray(listed) ? listed : Object.values(listed);
  return { file: resolve(folder, filename), size, files: files.map((/** @type {any} */ { path }) => path) };
}
