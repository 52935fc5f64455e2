// Projects of apps that are built without a network, and installs of them through a daemon.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeProject as writeAppProject } from "../../daemon/apps/testing/project.ts";
import { type Daemon, type JsonAnswer, until } from "../bench/daemon.ts";

/** Longer than any install on a loaded machine. */
const INSTALL_MS = 120_000;

interface Project {
  /** Of app and package. */
  name: string;
  /** Default: the app's name. */
  distribution?: string;
  version?: string;
  /** Text of setup.py, which runs during the build. */
  setup?: string;
  /** Statements of the app's run(). */
  run?: string;
  /** How many modules it has that hold its version as `VERSION`. */
  modules?: number;
}

/** The main module of an app. */
const mainModule = (run: string) => `from robot_sdk import RobotApp

class App(RobotApp):
    def run(self, robot, stop_event):
${run.trim().replaceAll(/^/gm, "        ")}

if __name__ == "__main__":
    app = App()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;

/** Writes the project of an app that ends at once, in place of what the folder has. */
export async function writeProject(
  folder: string,
  { name, distribution = name, version = "1", setup, run = "print('done')", modules = 0 }: Project,
): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  await writeAppProject(folder, { name, distribution, version, main: mainModule(run) });
  for (let module = 0; module < modules; module += 1)
    writeFileSync(join(folder, name, `part_${module}.py`), `VERSION = "${version}"\n`);
  if (setup !== undefined) writeFileSync(join(folder, "setup.py"), setup);
  return folder;
}

type Client = Pick<Daemon, "get" | "post">;

/** Starts an install. @returns the job's id */
export async function beginInstall({ post }: Client, folder: string): Promise<string> {
  const answer = await post("/api/apps/install", { path: folder });
  const { job_id } = (await answer.json()) as { job_id: string };
  return job_id;
}

/** Waits for the end of a job. */
export const jobEnd = ({ get }: Client, job: string, deadlineMs = INSTALL_MS): Promise<JsonAnswer> =>
  until("the job ends", deadlineMs, async () => {
    const state = await get(`/api/apps/job-status/${job}`);
    return ["done", "failed", "cancelled"].includes(state.status) && state;
  });

/** Installs an app and waits for the job's end. */
export const install = async (daemon: Client, folder: string) => jobEnd(daemon, await beginInstall(daemon, folder));

/** The versions of installed apps by name. */
export async function versions({ get }: Client): Promise<Record<string, string>> {
  const apps: { name: string; extra: { version: string } }[] = await get("/api/apps/list");
  return Object.fromEntries(apps.map(({ name, extra }) => [name, extra.version]));
}

/** Writes until the disk takes no more. */
export function fillDisk(folder: string) {
  for (const size of [1_000_000, 10_000, 100]) {
    try {
      for (let file = 0; ; file += 1) writeFileSync(join(folder, `filler-${size}-${file}`), "x".repeat(size));
    } catch {
      // Full for files of this size.
    }
  }
}
