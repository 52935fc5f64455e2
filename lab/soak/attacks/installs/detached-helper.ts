// What a build starts must not outlive it: neither its process, nor the jobs that wait for it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../attack.ts";
import { timed } from "../../attack-tools.ts";
import { install, writeProject } from "../../install-tools.ts";

/**
 * A setup.py whose build starts a process with another parent, session and environment, which keeps the build's output open.
 * @param file gets the id of that process
 */
const setupThatDetaches = (file: string) => `
import os, sys, time
if not os.path.exists("${file}"):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            script = "import os, time; open('${file}', 'w').write(str(os.getpid())); time.sleep(600)"
            os.execve(sys.executable, [sys.executable, "-c", script], {})
        os._exit(0)
    os.wait()
    while not os.path.exists("${file}"):
        time.sleep(0.01)
from setuptools import setup
setup()
`;

export default {
  title: "a build starts a process that detaches and drops its environment",
  dataFolder: "own",
  async run({ daemon, folder, row }) {
    const file = join(folder, "helper");
    const app = await writeProject(join(folder, "detaching"), { name: "detaching", setup: setupThatDetaches(file) });
    const begun = performance.now();
    const { status, error } = await install(daemon, app);
    const seconds = (performance.now() - begun) / 1000;
    row("its install", `${status} after ${seconds.toFixed(0)} s, ${error}`.slice(0, 60), "done", status === "done");
    const pid = Number(readFileSync(file, "utf8"));
    const isAlive = existsSync(`/proc/${pid}`);
    row("its process", isAlive ? "alive" : "ended", "ended", !isAlive);
    const next = await writeProject(join(folder, "next_app"), { name: "next_app" });
    const ms = await timed(async () => row("the next install", (await install(daemon, next)).status, "done", true));
    row("time of the next install", `${(ms / 1000).toFixed(0)} s`, "any", true);
  },
} satisfies Attack;
