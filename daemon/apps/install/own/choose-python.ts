import { cancelSignalOption, loadExeca, PROGRAM_ANSWER_MS } from "../../../../common/machine/load-execa.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { pythonEnvironment } from "../../start/python-environment.ts";
import type { Project } from "../check/project.ts";
import { installRunId } from "../environment/venv-lock.ts";
import type { InstallerParts, InstallerRun } from "../tools/installer.ts";
import { runTool } from "../tools/run-tool.ts";
import { findMatchingVersions, interpretersHere } from "./python-versions.ts";

/** What the SDK itself runs on. */
const OLDEST = ">=3.10";
/** Time to download an interpreter over a slow network. */
const FETCH_TIMEOUT_MS = 10 * 60_000;

/**
 * The Python that an app needs instead of that of an environment: one of this machine, else one that uv fetches.
 * @returns the program; null when the environment's own will do
 * @throws WorkbenchError `app-invalid` for a requirement that is none, `python-missing` with the version and the next step
 */
export async function pythonFor(
  { name, requiresPython }: Pick<Project, "name" | "requiresPython">,
  parts: InstallerParts,
  run: InstallerRun,
): Promise<string | null> {
  if (requiresPython === null) return null;
  const ask = (specifier: string, versions: readonly string[]) =>
    findMatchingVersions(specifier, versions, { ...parts, signal: run.signal });
  const found = await ask(requiresPython, []);
  if (found === "invalid") {
    const what = `pyproject.toml: requires-python = "${requiresPython}" is no requirement of versions`;
    throw new WorkbenchError("app-invalid", `This is not a robot app: ${what}, such as ">=3.10".`);
  }
  // Without pip in the environment, the installer itself refuses what does not fit.
  if (found === null || found.admitted.includes(found.own)) return null;
  const specifier = `${requiresPython},${OLDEST}`;
  run.onLine(`${name} needs Python ${requiresPython}; the environment of all apps has ${found.own}`);
  const { found: here, unanswered } = await interpretersHere(parts.env, run.signal);
  const fitting = await ask(
    specifier,
    here.map(({ version }) => version),
  );
  // The oldest: there are more packages for it than for the newest.
  const chosen = here.find(({ version }) => typeof fitting === "object" && fitting?.admitted.includes(version));
  if (chosen !== undefined) return chosen.file;
  const silent = `${unanswered.join(", ")} did not answer: if it fits, try again when this computer is less busy.`;
  const had = `${name} needs Python ${requiresPython}, and the environment of all apps has ${found.own}.`;
  const needs = unanswered.length === 0 ? had : `${had} ${silent}`;
  if (parts.uv === null) {
    const next = "Install uv, which fetches that Python (pip install uv), or put that Python on the PATH";
    throw new WorkbenchError("python-missing", `${needs} ${next}; then install the app again.`);
  }
  return fetchPython(specifier, needs, parts.uv, parts, run);
}

/** Has uv download an interpreter, which it keeps among its own. */
async function fetchPython(
  specifier: string,
  needs: string,
  uv: string,
  parts: InstallerParts,
  run: InstallerRun,
): Promise<string> {
  const env = pythonEnvironment(parts.env);
  const tool = { file: uv, args: ["python", "install", specifier], cwd: run.scratch, env };
  const limits = { python: `${parts.venv}/bin/python`, runId: installRunId(parts.venv), timeoutMs: FETCH_TIMEOUT_MS };
  await runTool({ ...tool, ...limits }, run).catch((error: unknown) => {
    run.signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    const next = "Put that Python on the PATH, or try again with a network";
    throw new WorkbenchError("python-missing", `${needs} uv could not fetch one. ${next}. ${why}`, { cause: error });
  });
  const execa = await loadExeca();
  const { stdout } = await execa(uv, ["python", "find", "--managed-python", "--no-project", specifier], {
    cwd: run.scratch,
    env,
    extendEnv: false,
    stdin: "ignore",
    timeout: PROGRAM_ANSWER_MS,
    ...cancelSignalOption(run.signal),
  });
  return stdout.trim();
}
