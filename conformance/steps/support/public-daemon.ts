import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { waitFor } from "../../../common/time/wait-for.ts";

const START_MS = 120_000;
/** Until it is killed. */
const STOP_MS = 30_000;
/** What the lab's tools of the public daemon write, and where it runs. */
export const ECOSYSTEM_FOLDER = resolve("artifacts/ecosystem");
/** The Python environment with the public SDK; `npm run ecosystem` makes it. */
export const PUBLIC_VENV = `${ECOSYSTEM_FOLDER}/data/apps_venv`;
const QUIET = ["--headless", "--no-media", "--no-preload-datasets"];
/** Characters of what it prints that are kept, the last ones. */
const KEPT_OUTPUT = 1_000_000;

/**
 * Starts the public daemon and waits until its robot runs.
 * @param configFolder where it keeps the settings of its user; the user's own unless given
 * @throws Error with the end of its output when it does not run in time
 */
export async function startPublicDaemon(options: string[], port: number, configFolder?: string) {
  const args = ["-m", "reachy_mini.daemon.app.main", ...QUIET, ...options, "--fastapi-port", String(port)];
  const env = { ...process.env, ...(configFolder !== undefined && { XDG_CONFIG_HOME: configFolder }) };
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  const child = spawn(`${PUBLIC_VENV}/bin/python`, args, { cwd: ECOSYSTEM_FOLDER, stdio, env });
  const ended = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = (output + chunk).slice(-KEPT_OUTPUT);
    });
  const stop = async () => {
    child.kill("SIGINT");
    const killed = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(killed);
  };
  const abort = new AbortController();
  ended.then(
    ([code]) => abort.abort(new Error(`it ended with ${code}: ${output.slice(-300)}`)),
    (error) => abort.abort(error),
  );
  const isRunning = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/daemon/status`);
    if (!answer.ok) return false;
    const { state, error } = (await answer.json()) as { state: string; error: string | null };
    if (state === "error") abort.abort(new Error(`its state is error: ${error}`));
    return state === "running";
  };
  try {
    await waitFor(START_MS, "the public daemon runs", isRunning, abort.signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, output: () => output, stop };
}
