// The surface of every version of the SDK since 1.5.0, each against a daemon of its own.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { copyTree } from "../../common/machine/copy-tree.ts";
import { run } from "../../scripts/setup/steps.mjs";
import { startDaemon } from "../bench/daemon.ts";
import { section } from "../bench/figures.ts";
import { VENV, VOICE, WHEELS } from "./public-sdk.ts";
import { type Row, row } from "./table.ts";

/** On the Python index; 1.4.1 and older speak another protocol. */
const VERSIONS = [
  ...["1.5.0", "1.5.1", "1.6.0", "1.6.1", "1.6.2", "1.6.3", "1.6.4", "1.7.0", "1.7.1", "1.7.2", "1.7.3"],
  ...["1.8.0", "1.8.1", "1.8.2", "1.8.3", "1.8.4", "1.9.0", "1.10.0", "1.11.0", "1.12.0", "1.13.0"],
];
/** What was measured, by version; docs/compatibility-reference.md is written from it. */
const RESULTS = resolve("lab/ecosystem/versions.json");
const FOLDER = resolve("artifacts/ecosystem/versions");
const SURFACE_MS = 300_000;

/** @param wanted versions; all when empty */
export async function runVersions(wanted: string[]) {
  section("The SDK's surface, version by version");
  for (const version of wanted.length === 0 ? VERSIONS : wanted) {
    await row(version, async () => {
      const calls = await surfaceOf(version);
      const count = (status: string) => calls.filter((call) => call.status === status).length;
      const result = { ok: count("ok"), notHere: count("not here"), absent: count("absent"), failed: count("failed") };
      const all = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};
      const sorted = Object.entries({ ...all, [version]: result }).sort(([one], [other]) =>
        one.localeCompare(other, "en", { numeric: true }),
      );
      writeFileSync(RESULTS, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
      const failed = calls.filter(({ status }) => status === "failed");
      if (failed.length > 0 || result.ok === 0)
        throw new Error(failed.map(({ name, note }) => `${name}: ${note}`).join("; ") || "nothing ran");
      return `${result.ok} ok, ${result.notHere} not here, ${result.absent} not in this version`;
    });
  }
}

async function surfaceOf(version: string): Promise<Row[]> {
  const venv = `${FOLDER}/${version}`;
  rmSync(venv, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  copyTree(VENV, venv);
  await run(`${venv}/bin/python`, ["lab/ecosystem/install_sdk.py", version, WHEELS]);
  const daemon = await startDaemon(`${FOLDER}/data`, ["--venv", VENV, "--microphone", VOICE]);
  try {
    await daemon.awake();
    return await runSurface(`${venv}/bin/python`, daemon.url);
  } finally {
    await daemon.stop();
    rmSync(venv, { recursive: true, force: true });
  }
}

/** Runs the whole public surface of the SDK of an environment. @param url of the daemon */
export async function runSurface(python: string, url: string): Promise<Row[]> {
  const script = ["lab/ecosystem/sdk_surface.py", new URL(url).port, "lab/ecosystem/not-here.json"];
  const child = spawn(python, script, { stdio: ["ignore", "pipe", "pipe"], timeout: SURFACE_MS });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors = (errors + chunk).slice(-2000);
  });
  const calls: Row[] = [];
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith("{")) calls.push(JSON.parse(line));
  if (calls.length === 0) throw new Error(errors.trim().split("\n").at(-1) ?? "the surface did not begin");
  return calls;
}
