// npm run bench: measures the design's targets on the built programs. `npm run bench -- sim` runs one section.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { commandOf } from "../common/machine/process-table.ts";
import { buildPrograms, checkNode, installDependencies } from "../scripts/setup/prepare.mjs";
import { script, step } from "../scripts/setup/steps.mjs";
import { prepareTestApps, TEST_DATA } from "../scripts/setup/test-apps.mjs";
import { benchCertify } from "./bench/certify.ts";
import { type Daemon, startDaemon } from "./bench/daemon.ts";
import { benchDev } from "./bench/dev.ts";
import { benchEdit } from "./bench/edit.ts";
import { figure, median, section } from "./bench/figures.ts";
import { benchHeldLoad } from "./bench/held-load.ts";
import { benchIdle } from "./bench/idle.ts";
import { benchLifecycle } from "./bench/lifecycle.ts";
import { benchLoad } from "./bench/load.ts";
import { processTree, proportionalMegabytes } from "./bench/processes.ts";
import { benchSimulator } from "./bench/simulator.ts";
import { benchWire } from "./bench/wire.ts";
import { benchWorkshop } from "./bench/workshop.ts";

const STARTS = 5;
const CHECKS = 9;
const CHECKED = "fixtures/apps/hello_robot";

async function benchReady() {
  section("Readiness");
  const times = [];
  for (let round = 0; round < STARTS; round += 1) {
    const daemon = await startDaemon(TEST_DATA, ["--no-wake-up-on-start"]);
    times.push(daemon.readyMs);
    await daemon.stop();
  }
  figure("start of the program to first answer", `${median(times).toFixed(0)} ms`, "<= 1500 ms", median(times) <= 1500);
}

function benchMemory(daemon: Daemon) {
  section("Memory of all processes (proportional set size)");
  let total = 0;
  for (const { pid } of processTree(daemon.pid)) {
    const megabytes = proportionalMegabytes(pid);
    total += megabytes;
    figure(commandOf(pid).join(" ").replace(/\S*\//g, "").slice(0, 60), `${megabytes.toFixed(0)} MB`);
  }
  figure("total", `${total.toFixed(0)} MB`, "<= 250 MB", total <= 250);
}

async function benchDaemon() {
  await benchReady();
  const daemon = await startDaemon(TEST_DATA);
  try {
    await daemon.awake();
    await benchLifecycle(daemon, `${TEST_DATA}/apps_venv/bin/python`, [
      { app: "steady_app", warmLimit: 0.6 },
      // It imports FastAPI and declares a route before it moves.
      { app: "paged_app", warmLimit: 1 },
      // Its first motion is a goto of 0.8 s, which takes some of that time to move a joint by as much as is measured.
      { app: "hello_robot", warmLimit: null },
    ]);
    await benchLoad(daemon);
    await daemon.post("/api/apps/start-app/steady_app");
    await sleep(5000);
    benchMemory(daemon);
  } finally {
    await daemon.stop();
  }
}

/** Measures the static check of an app, including the start of the process. */
async function benchCheck() {
  section("Static check of hello_robot");
  const times = [];
  for (let round = 0; round < CHECKS; round += 1) {
    const began = performance.now();
    const { status } = spawnSync(process.execPath, ["bin/robot-app-assistant.mjs", "check", CHECKED]);
    times.push(performance.now() - began);
    if (status !== 0) throw new Error(`the check of ${CHECKED} exited with code ${status}`);
  }
  figure("from start to exit of the program", `${median(times).toFixed(0)} ms`, "<= 300 ms", median(times) <= 300);
}

const SECTIONS: Record<string, () => Promise<void>> = {
  sim: benchSimulator,
  wire: benchWire,
  daemon: benchDaemon,
  dev: () => benchDev(TEST_DATA),
  workshop: () => benchWorkshop(TEST_DATA),
  idle: () => benchIdle(TEST_DATA),
  load: benchHeldLoad,
  check: benchCheck,
  certify: benchCertify,
  edit: benchEdit,
};

await script(async () => {
  checkNode();
  await installDependencies();
  await buildPrograms();
  await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });
  const wanted = process.argv.slice(2);
  console.log(`\n${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.versions.node}`);
  for (const [name, run] of Object.entries(SECTIONS)) if (wanted.length === 0 || wanted.includes(name)) await run();
});
