// Attacks on the built daemon: what an app, a client or a network does by mistake or on purpose. Each attack is one file of
// attacks/, in the folder of what it attacks; to add one, add a file. Its default export is an `Attack`.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { TEST_DATA } from "../../scripts/setup/test-apps.mjs";
import { type Daemon, startDaemon } from "../bench/daemon.ts";
import { countMiss, section } from "../bench/figures.ts";
import { createDataFolder } from "./own-data-folder.ts";

export type Row = (what: string, seen: string | number, wanted: string, ok: boolean) => void;

export interface Attack {
  title: string;
  /** Options of the daemon. */
  options?: string[];
  /** For attacks that install; see own-data-folder.ts. */
  dataFolder?: "own" | "small-disk";
  /** Variables of the daemon's environment. */
  env?: Record<string, string>;
  /** May end the daemon. */
  run(context: {
    /** Just started, with a simulated robot that is awake. */
    daemon: Daemon;
    /** The daemon's data folder. */
    dataDir: string;
    /** An empty folder, which is removed afterwards. */
    folder: string;
    /** How long an attack lasts that has no end of its own. */
    seconds: number;
    /** Reports one result. */
    row: Row;
  }): Promise<void>;
}

const FOLDER = new URL("attacks/", import.meta.url);

/** The files of all attacks by their names. */
function attackFiles(): Map<string, URL> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return new Map(files.sort().map((file) => [basename(file, ".ts"), new URL(file, FOLDER)]));
}

const row: Row = (what, seen, wanted, ok) => {
  if (!ok) countMiss();
  console.log(`  ${what.padEnd(54)} ${String(seen).padEnd(34)} ${wanted.padEnd(30)} ${ok ? "ok" : "FALLS SHORT"}`);
};

async function runAttack(name: string, file: URL, seconds: number) {
  const attack = (await import(file.href)).default as Attack;
  section(`${name}: ${attack.title}`);
  const own = attack.dataFolder === undefined ? null : createDataFolder(attack.dataFolder);
  if (attack.dataFolder !== undefined && own === null) return console.log("  left out: it needs root to mount a disk");
  const dataDir = own?.dataDir ?? TEST_DATA;
  Object.assign(process.env, attack.env);
  const daemon = await startDaemon(dataDir, attack.options);
  const folder = mkdtempSync(join(tmpdir(), "robot-projects-"));
  for (const name of Object.keys(attack.env ?? {})) delete process.env[name];
  try {
    await daemon.awake();
    await attack.run({ daemon, dataDir, folder, seconds, row });
  } catch (error) {
    row("the attack itself", `failed: ${(error as Error).message}`.slice(0, 300), "runs to its end", false);
  } finally {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
    own?.remove();
  }
}

/** @param names all attacks when empty */
export async function soakAttacks(names: string[], seconds: number) {
  const known = attackFiles();
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(`There is no attack ${unknown}; there are ${[...known.keys()].join(", ")}.`);
  console.log(`\n  ${"result".padEnd(54)} ${"seen".padEnd(34)} wanted`);
  for (const [name, file] of known)
    if (names.length === 0 || names.includes(name)) await runAttack(name, file, seconds);
}
