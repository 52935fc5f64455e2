// Attacks on the built daemon: what an app, a client or a network does by mistake or on purpose. Each attack is one file of
// attacks/, in the folder of what it attacks; to add one, add a file. Its default export is an `Attack`.
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { startDaemon } from "../bench/daemon.mjs";
import { countMiss, section } from "../bench/figures.mjs";
import { TEST_DATA } from "../setup/test-apps.mjs";
import { createDataFolder } from "./own-data-folder.mjs";

/** @typedef {Awaited<ReturnType<typeof startDaemon>>} Daemon */

/** @typedef {(what: string, seen: string | number, wanted: string, ok: boolean) => void} Row */

/**
 * @typedef {object} AttackContext
 * @property {Daemon} daemon just started, with a simulated robot that is awake
 * @property {string} dataDir of the daemon
 * @property {number} seconds how long an attack lasts that has no end of its own
 * @property {Row} row reports one result
 */

/**
 * @typedef {object} Attack
 * @property {string} title
 * @property {string[]} [options] of the daemon
 * @property {"own" | "small-disk"} [dataFolder] for attacks that install; see own-data-folder.mjs
 * @property {Record<string, string>} [env] variables of the daemon's environment
 * @property {(context: AttackContext) => Promise<void>} run may end the daemon
 */

const FOLDER = new URL("attacks/", import.meta.url);

/** The files of all attacks by their names. @returns {Map<string, URL>} */
function attackFiles() {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".mjs"));
  return new Map(files.sort().map((file) => [basename(file, ".mjs"), new URL(file, FOLDER)]));
}

/** @type {Row} */
function row(what, seen, wanted, ok) {
  if (!ok) countMiss();
  console.log(`  ${what.padEnd(54)} ${String(seen).padEnd(34)} ${wanted.padEnd(30)} ${ok ? "ok" : "FALLS SHORT"}`);
}

/** @param {string} name @param {URL} file @param {number} seconds */
async function runAttack(name, file, seconds) {
  const attack = /** @type {Attack} */ ((await import(file.href)).default);
  section(`${name}: ${attack.title}`);
  const own = attack.dataFolder === undefined ? null : await createDataFolder(attack.dataFolder);
  if (attack.dataFolder !== undefined && own === null) return console.log("  left out: it needs root to mount a disk");
  const dataDir = own?.dataDir ?? TEST_DATA;
  Object.assign(process.env, attack.env);
  const daemon = await startDaemon(dataDir, attack.options ?? []);
  for (const name of Object.keys(attack.env ?? {})) delete process.env[name];
  try {
    await daemon.awake();
    await attack.run({ daemon, dataDir, seconds, row });
  } catch (error) {
    row("the attack itself", `failed: ${/** @type {Error} */ (error).message}`.slice(0, 300), "runs to its end", false);
  } finally {
    await daemon.stop();
    own?.remove();
  }
}

/** @param {string[]} names all attacks when empty @param {number} seconds */
export async function soakAttacks(names, seconds) {
  const known = attackFiles();
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(`There is no attack ${unknown}; there are ${[...known.keys()].join(", ")}.`);
  console.log(`\n  ${"result".padEnd(54)} ${"seen".padEnd(34)} wanted`);
  for (const [name, file] of known)
    if (names.length === 0 || names.includes(name)) await runAttack(name, file, seconds);
}
