// What both daemons cost in the same half minute: awake, nobody watching, no app.
import { setTimeout as sleep } from "node:timers/promises";
import { startPublicDaemon } from "../../conformance/steps/support/public-daemon.ts";
import { startDaemon } from "../bench/daemon.ts";
import { section } from "../bench/figures.ts";
import { processTree } from "../bench/processes.ts";
import { prepareDaemon } from "./peer.ts";
import { DATA } from "./public-sdk.ts";
import { row } from "./table.ts";

const SECONDS = 30;
/** Until compilers and imports have finished and the robots rest. */
const SETTLE_MS = 15_000;
const PEER_PORT = 8800;
/** The public daemon without media and without its own physics, its lightest mode; with physics it needs MuJoCo. */
const LIGHT = ["--mockup-sim"];

/** CPU seconds and resident bytes of a process and its descendants. */
function usage(pid: number) {
  const entries = processTree(pid);
  const sum = (key: "cpuSeconds" | "memoryBytes") => entries.reduce((all, each) => all + each[key], 0);
  return { cpu: sum("cpuSeconds"), bytes: sum("memoryBytes") };
}

export async function compareCost() {
  section(`Idle cost, both daemons in the same ${SECONDS} s`);
  await prepareDaemon();
  const ours = await startDaemon(DATA);
  let peer: Awaited<ReturnType<typeof startPublicDaemon>> | null = null;
  try {
    await ours.awake();
    peer = await startPublicDaemon(LIGHT, PEER_PORT);
    await sleep(SETTLE_MS);
    const pids = { "robot-daemon --sim, with physics": ours.pid, "the public daemon, without physics": peer.pid };
    const before = Object.values(pids).map(usage);
    await sleep(1000 * SECONDS);
    const after = Object.values(pids).map(usage);
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
    await peer?.stop();
    await ours.stop();
  }
}
