// One data folder has one daemon, also where the two cannot see each other's processes.
import { spawnSync } from "node:child_process";
import type { Attack } from "../../attack.ts";

const NAMESPACES = ["unshare", "--pid", "--fork", "--mount-proc"];

export default {
  title: "a second daemon on the same data folder",
  async run({ daemon, dataDir, row }) {
    const args = [process.execPath, "bin/robot-daemon.mjs", "--sim", "--port", "0", "--data-dir", dataDir];
    for (const [what, inside] of [
      ["of the same machine", []],
      ["of a container", NAMESPACES],
    ] as [string, string[]][]) {
      const [command = "", ...rest] = [...inside, ...args];
      const { status, stderr } = spawnSync(command, rest, { encoding: "utf8", timeout: 30_000 });
      if (/unshare failed|Operation not permitted/.test(stderr)) console.log(`  ${what}: left out, it needs root`);
      else {
        const isRefused = status !== null && status !== 0 && /uses the data folder/.test(stderr);
        row(what, `exit code ${status}`, "refused", isRefused);
      }
    }
    const isUp = (await fetch(`${daemon.url}/healthz`)).ok;
    row("the first one", isUp ? "answers" : "is gone", "answers", isUp);
  },
} satisfies Attack;
