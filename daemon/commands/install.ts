import { resolve } from "node:path";
import type { AppInfo } from "../../robot/wire/apps.ts";
import { Hub, type HubOptions } from "../apps/hub/hub.ts";
import { sourceOf } from "../apps/install/source-of.ts";
import { enterDataFolder, inUse, type Occupant } from "../data-folder/data-folder.ts";
import type { Invocation } from "../options.ts";
import { installPrepared } from "../prepare.ts";
import { installOverHttp } from "./install-over-http.ts";
import { type Machine, stepsOf } from "./machine.ts";
import { InstallView, nextSteps } from "./show-install.ts";

type InstallInvocation = Extract<Invocation, { command: "install" }>;

/** Milliseconds from one look at a data folder that somebody else uses to the next. */
const LOOK_MS = 200;

/** The token that opens private spaces never shows on a command line. */
export const hubAt = (url: string, env: NodeJS.ProcessEnv): HubOptions => ({ url, token: env.HF_TOKEN ?? null });

/**
 * `robot-daemon install SOURCE`: a folder or the address of a space. Where a daemon runs on the data folder it is asked
 * to install, so that its apps, its slot and its records stay its own; another install is waited for.
 *
 * Throws as `sourceOf`, `installPrepared` and `installOverHttp`; `data-folder-in-use` for a daemon with another
 * environment; `Interrupted`.
 */
export async function install({ source, dataDir, venv, hubUrl }: InstallInvocation, machine: Machine): Promise<void> {
  const { env, packageDir, interrupted: signal } = machine;
  const step = stepsOf(machine);
  const from = sourceOf(source, new Hub(hubAt(hubUrl, env)));
  const view = new InstallView(machine.tell);
  const shown = async (url: string | null, work: () => Promise<AppInfo>): Promise<void> => {
    const app = await work().catch((error: unknown) => {
      view.failed();
      throw error;
    });
    machine.tell(nextSteps({ app, url, dataDir, env }));
  };
  const name = `app ${source}`;
  for (let waited = false; ; waited = true) {
    signal.throwIfAborted();
    const entered = await enterDataFolder(dataDir, { doing: "install", url: null, venv });
    if ("close" in entered) {
      const sdkFolder = resolve(packageDir, "sdk");
      const options = { dataDir, venv, sdkFolder, env, step, signal, ...view };
      return await shown(null, () => installPrepared(from, name, options).finally(entered.close));
    }
    if (entered.doing === "daemon" && entered.url !== null) {
      const asked = { source, dataDir, venv, signal, tell: machine.tell, view };
      return await shown(entered.url, () => step(name, () => through(entered, asked)));
    }
    if (!waited) machine.tell(`  … waiting for process ${entered.pid}, which ${DOES[entered.doing]}\n`);
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

const DOES = { daemon: "is a robot-daemon about to open its port", install: "installs an app" } as const;

interface Through {
  source: string;
  dataDir: string;
  venv: string;
  tell: (text: string) => void;
  view: InstallView;
  signal: AbortSignal;
}

function through(daemon: Occupant, { source, dataDir, venv, tell, view, signal }: Through): Promise<AppInfo> {
  if (daemon.venv !== venv) throw inUse(dataDir, daemon);
  tell(`     over the robot-daemon of process ${daemon.pid} at ${daemon.url}\n`);
  return installOverHttp({ url: daemon.url ?? "", source, dataDir, signal, ...view });
}
