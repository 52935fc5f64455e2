import { resolve } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { canOwnNetwork, inOwnNetwork } from "../ecosystem/own-network.ts";
import { STARTS } from "./expected.ts";
import { MissingPythonError } from "./judge.ts";

const DAEMON = resolve("bin/robot-daemon.mjs");
const RUNNER = resolve("lab/public/start-runner.ts");
const LIMIT_MS = 1_200_000;
/** What the daemon says when this machine lacks the Python that an app asks for. */
const MISSING_PYTHON = /needs Python .*(?:Install uv|could not fetch one)/;
const Result = z.object({ start: z.enum(STARTS), detail: z.string() });

/**
 * Installs an app into a data folder of its own, with this machine's network, then starts and stops it with a daemon that has a
 * network of its own where the system allows: other SDKs look for it at port 8000.
 * @throws MissingPythonError; Error when the daemon fails
 */
export async function startInDaemon(folder: string, dataDir: string): Promise<z.infer<typeof Result>> {
  const installed = await run([process.execPath, DAEMON, "install", folder, "--data-dir", dataDir]);
  if (installed.code !== 0 && MISSING_PYTHON.test(installed.text))
    throw new MissingPythonError(lastLine(installed.text));
  if (installed.code !== 0) return { start: "not-installed", detail: lastLine(installed.text) };
  const runner = [process.execPath, "--import", "tsx", RUNNER, dataDir];
  const started = await run((await canOwnNetwork()) ? inOwnNetwork(runner) : runner);
  return Result.parse(JSON.parse(lastLine(started.text)));
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";

async function run([file = "", ...args]: readonly string[]): Promise<{ code: number | undefined; text: string }> {
  const { exitCode, all } = await execa(file, args, { all: true, stdin: "ignore", timeout: LIMIT_MS, reject: false });
  return { code: exitCode, text: all };
}
