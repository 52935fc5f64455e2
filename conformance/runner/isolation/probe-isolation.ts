import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { cancelSignalOption, PROGRAM_ANSWER_MS } from "../../../common/machine/load-execa.ts";
import { pythonEnvironment } from "../../../daemon/apps/start/python-environment.ts";
import type { Host } from "../host.ts";
import { inNamespaces } from "../lane/namespaces.ts";
import { AppFolders } from "../rig-folders.ts";
import { AppPython } from "./app-python.ts";
import type { Bubblewrap, IsolationPlan } from "./isolation-plan.ts";

interface ProbeOptions {
  /** A Python environment. */
  venv: string;
  /** Whether the app may use the machine's network. */
  allowNetwork: boolean;
  /** Whether bubblewrap is tried. Default: true. */
  sandbox?: boolean;
  host: Host;
}

/**
 * Finds out how this machine lets an app be kept apart, by trying it.
 * @throws the host's signal's reason
 */
export async function probeIsolation({
  venv,
  allowNetwork,
  sandbox = true,
  host,
}: ProbeOptions): Promise<IsolationPlan> {
  const folder = await mkdtemp(join(tmpdir(), "robot-probe-"));
  const run = (file: string, args: readonly string[]) =>
    execa(file, [...args], {
      env: pythonEnvironment(host.env),
      extendEnv: false,
      stdin: "ignore",
      timeout: PROGRAM_ANSWER_MS,
      reject: false,
      ...cancelSignalOption(host.signal),
      cwd: folder,
    });
  const python = join(venv, "bin/python");
  const works = async (options: { network: boolean; quota: boolean }, command: readonly string[]) => {
    const quota = options.quota ? join(folder, "app") : null;
    const [file = "", ...args] = inNamespaces({ python, network: options.network, quota }, command);
    const ended = await run(file, args);
    host.signal.throwIfAborted();
    return ended;
  };
  try {
    const namespaces = { network: !allowNetwork, quota: true };
    const isolated = (await works(namespaces, ["/bin/true"])).exitCode === 0;
    const plan = { python, network: isolated && !allowNetwork, quota: isolated };
    const found = sandbox ? await findBubblewrap(python, run) : "--no-sandbox was given";
    host.signal.throwIfAborted();
    if (typeof found === "string") return { ...plan, bubblewrap: null, reason: found };
    const reason = await tryBubblewrap({ ...plan, bubblewrap: found, reason: null }, folder, venv, (command) =>
      works(plan, command),
    );
    return { ...plan, bubblewrap: reason === null ? found : null, reason };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

type Run = (
  file: string,
  args: readonly string[],
) => PromiseLike<{ exitCode?: number; stdout: string; stderr: string }>;

/** The program, or why there is none. */
async function findBubblewrap(python: string, run: Run): Promise<Bubblewrap | string> {
  const where = await run("/bin/sh", ["-c", "command -v bwrap"]);
  const path = where.stdout.trim();
  if (where.exitCode !== 0 || path === "") return "bubblewrap (bwrap) is not installed";
  const help = await run(path, ["--help"]);
  const script = "import os, sys; print(sys.base_prefix); print(sys.base_exec_prefix)";
  const prefixes = await run(python, ["-I", "-S", "-c", script]);
  const knows = (["--disable-userns", "--size"] as const).filter((option) =>
    `${help.stdout}${help.stderr}`.includes(` ${option} `),
  );
  const folders = [...new Set(prefixes.stdout.split("\n"))].filter((each) => each !== "" && !isOfSystem(each));
  return { path, knows, pythonFolders: folders };
}

const isOfSystem = (folder: string): boolean => folder === "/usr" || folder.startsWith("/usr/");

/** Starts the environment's Python as an app is started. Returns why that does not work; null when it does. */
async function tryBubblewrap(
  isolation: IsolationPlan,
  folder: string,
  venv: string,
  run: (command: readonly string[]) => PromiseLike<{ exitCode?: number; stdout: string; stderr: string }>,
): Promise<string | null> {
  const folders = new AppFolders(folder);
  await folders.empty();
  const app = new AppPython({ folder: join(folder, "python"), venv, folders, isolation, env: {} });
  app.configure({ daemonUrl: "http://127.0.0.1:1", token: null, instrumented: true });
  const { exitCode, stdout, stderr } = await run([app.python, "-c", 'print("inside")']);
  if (exitCode === 0 && stdout.trim() === "inside") return null;
  const lines = stderr.trim().split("\n");
  return `bubblewrap does not work here: ${lines.find((line) => line.includes("bwrap")) ?? lines.at(-1) ?? "no output"}`;
}
