// What both daemons cost in the same half minute: awake, nobody watching, no app.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { startDaemon, until } from "../bench/daemon.mjs";
import { built } from "../setup/built.mjs";
import { DATA, VENV } from "./public-sdk.mjs";
import { row, section } from "./table.mjs";

const SECONDS = 30;
/** Until compilers and imports have finished and the robots rest. */
const SETTLE_MS = 15_000;
const START_MS = 120_000;
const PEER_PORT = "8800";
/** The public daemon without media and without its own physics, its lightest mode; with physics it needs MuJoCo. */
const LIGHT = ["--mockup-sim", "--headless", "--no-media", "--no-preload-datasets", "--wake-up-on-start"];

const pause = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

/** CPU seconds and resident bytes of a process and its descendants. @param {number} pid */
async function usage(pid) {
  const { ProcessTable } = await built("common/machine/process-table.js");
  /** @type {{ pid: number, cpuSeconds: number, residentBytes: number }[]} */
  const entries = ProcessTable.readSync().treeOf(pid);
  const sum = (/** @type {"cpuSeconds" | "residentBytes"} */ key) => entries.reduce((all, each) => all + each[key], 0);
  return { cpu: sum("cpuSeconds"), bytes: sum("residentBytes") };
}

export async function compareCost() {
  section(`Idle cost, both daemons in the same ${SECONDS} s`);
  const ours = await startDaemon(DATA);
  const peer = spawn(
    `${VENV}/bin/python`,
    ["-m", "reachy_mini.daemon.app.main", ...LIGHT, "--fastapi-port", PEER_PORT],
    { cwd: resolve("artifacts/ecosystem"), stdio: "ignore" },
  );
  const peerEnded = once(peer, "exit");
  try {
    await ours.awake();
    await until("the public daemon is awake", START_MS, async () => {
      if (peer.exitCode !== null) throw new Error(`the public daemon ended with ${peer.exitCode}`);
      const answer = await fetch(`http://127.0.0.1:${PEER_PORT}/api/daemon/status`).catch(() => null);
      if (answer?.ok !== true) return false;
      const { state } = /** @type {{ state: string }} */ (await answer.json());
      return state === "running";
    });
    await pause(SETTLE_MS);
    const pids = { "robot-daemon --sim, with physics": ours.pid, "the public daemon, without physics": peer.pid ?? 0 };
    const before = await Promise.all(Object.values(pids).map(usage));
    await pause(1000 * SECONDS);
    const after = await Promise.all(Object.values(pids).map(usage));
    for (const [index, name] of Object.keys(pids).entries()) {
      const cpu = (after[index]?.cpu ?? 0) - (before[index]?.cpu ?? 0);
      const megabytes = (after[index]?.bytes ?? 0) / 1e6;
      await row(name, async () => `${((100 * cpu) / SECONDS).toFixed(1)} % of a core, ${megabytes.toFixed(0)} MB`);
    }
  } catch (error) {
    await row("both daemons", async () => {
      throw error;
    });
  } finally {
    peer.kill("SIGINT");
    const killed = setTimeout(() => peer.kill("SIGKILL"), 20_000);
    await peerEnded;
    clearTimeout(killed);
    await ours.stop();
  }
}
