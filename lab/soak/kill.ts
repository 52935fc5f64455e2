// Kills daemon, robot process, app and installer at random times: afterwards the slot must be free, nothing may be left, and
// an app that was being installed is there completely or not at all.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { commandOf } from "../../common/machine/process-table.ts";
import { seededRandom } from "../../common/seeded-random.ts";
import { LIMITS } from "../../daemon/testing/invariants.ts";
import { type JsonAnswer, until } from "../bench/daemon.ts";
import { figure, section } from "../bench/figures.ts";
import { beginInstall, versions, writeProject } from "./install-tools.ts";
import { createDataFolder } from "./own-data-folder.ts";
import { processesOfRun } from "./programs.ts";

/** Milliseconds until the slot is free after a kill. */
const SLOT_MS = LIMITS.slotFreesMs;
/** Milliseconds until all processes of a killed daemon have ended. */
const EXIT_MS = 8000;
/** Maximum of milliseconds between the start of an activity and the kill. */
const MAX_DELAY_MS = 1500;
/** The same for installs and removals, which take some seconds. */
const MAX_INSTALL_DELAY_MS = 8000;
/** Milliseconds in which an install ends that was not killed. */
const INSTALL_MS = 120_000;
/** Every second round has an activity of these. */
const INSTALLS = ["an app is installed", "an app is installed", "an app is removed"];
/** The app that is installed, and how many modules it has beside main.py, each with its version. */
const INSTALLED_APP = "soak_app";
const MODULES = 40;
/** Losses in a row after which a daemon still restarts the robot process; see daemon/robot-client/process/restart-backoff.ts. */
const ROBOT_LOSSES = 4;
const APPS = ["steady_app", "goto_app", "ignores_sigint", "brief_app", "spins"];
/** Files of an unused data folder. */
const EXPECTED_FILES = new Set(["apps_venv", "logs", "work", "installed-apps.json", "audio.json", "volume.json"]);

async function start(dataDir: string, runId: string) {
  const args = ["bin/robot-daemon.mjs", "--sim", "--port", "0", "--data-dir", dataDir, "--grace-period", "1"];
  const env = { ...process.env, ROBOT_SOAK: runId };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const exit = once(child, "exit");
  /**
   * The first child of a kind: a later one may be the interpreter that waits for the app's next start.
   * @param matches a word of the command
   */
  const childWith = async (matches: (word: string) => boolean) => {
    const children = (await processesOfRun(runId)).filter(({ parent }) => parent === child.pid);
    const found = children.map(({ pid }) => pid).filter((pid) => commandOf(pid).some(matches));
    return found.length === 0 ? undefined : Math.min(...found);
  };
  const daemon = {
    pid: child.pid ?? 0,
    url: "",
    losses: 0,
    exit,
    output: () => output,
    get: async (path: string): Promise<JsonAnswer> =>
      (await fetch(daemon.url + path, { signal: AbortSignal.timeout(5000) })).json(),
    post: (path: string, body?: unknown) =>
      fetch(daemon.url + path, {
        method: "POST",
        signal: AbortSignal.timeout(SLOT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      }),
    robot: () => childWith((word) => word.endsWith("/robot-process/main.js")),
    app: () => childWith((word) => word === "-u"),
    installer: () => childWith((word) => word === "-S"),
  };
  return daemon;
}

type Daemon = Awaited<ReturnType<typeof start>>;

async function waitUntilReady(daemon: Daemon) {
  daemon.url = await until("the daemon prints its address", SLOT_MS, () => {
    return /http:\/\/127\.0\.0\.1:\d+/.exec(daemon.output())?.[0];
  }).catch((error) => {
    throw new Error(`${error.message}:\n${daemon.output()}`);
  });
  await until("the daemon answers", SLOT_MS, async () => (await fetch(`${daemon.url}/healthz`)).ok);
}

/** Activities that a kill may interrupt. */
const ACTIVITIES: Record<string, (daemon: Daemon, random: () => number, project: string) => unknown> = {
  nothing: () => {},
  "an app starts": (daemon, random) => daemon.post(`/api/apps/start-app/${APPS[Math.floor(random() * APPS.length)]}`),
  "an app stops": (daemon) =>
    daemon.post("/api/apps/start-app/steady_app").then(() => daemon.post("/api/apps/stop-current-app")),
  "the robot falls asleep": (daemon) => daemon.post("/api/move/play/goto_sleep"),
  "the robot wakes": (daemon) => daemon.post("/api/move/play/wake_up"),
  "the robot moves": (daemon) => daemon.post("/api/move/goto", { antennas: [1, -1], duration: 2 }),
  "the daemon ends": (daemon) => daemon.post("/api/daemon/stop"),
  "an app is installed": (daemon, _, project) => beginInstall(daemon, project),
  "an app is removed": (daemon) => daemon.post(`/api/apps/remove/${INSTALLED_APP}`),
};

/**
 * Checks that all files of the installed app are of one version, or that there are none.
 * @returns the version, or "none"
 */
async function checkInstalledApp(daemon: Daemon, dataDir: string): Promise<string> {
  await until("all jobs end", INSTALL_MS, async () =>
    ((await daemon.get("/api/apps/jobs")) as { status: string }[]).every(
      ({ status }) => !["pending", "in_progress"].includes(status),
    ),
  );
  const lib = join(dataDir, "apps_venv", "lib");
  const packages = join(lib, readdirSync(lib)[0] ?? "", "site-packages");
  const metadata = readdirSync(packages).filter((name) => /^soak_app-.*\.dist-info$/.test(name));
  const listed = (await versions(daemon))[INSTALLED_APP] ?? "none";
  const [version = "none"] = metadata.map((name) => name.replace(/^soak_app-|\.dist-info$/g, ""));
  const files = readdirSync(packages).includes(INSTALLED_APP)
    ? readdirSync(join(packages, INSTALLED_APP)).filter((name) => /^part_.*\.py$/.test(name))
    : [];
  const inFiles = new Set(
    files.map((name) => /"(.*)"/.exec(readFileSync(join(packages, INSTALLED_APP, name), "utf8"))?.[1]),
  );
  const isComplete =
    version === "none" ? files.length === 0 : files.length === MODULES && inFiles.size === 1 && inFiles.has(version);
  if (metadata.length > 1 || listed !== version || !isComplete)
    throw new Error(
      `the app is installed in part: metadata ${metadata.join(", ")}, listed ${listed}, ${files.length} modules of ` +
        `${[...inFiles].join(", ")}`,
    );
  return version;
}

/** Waits until the daemon can start an app, and stops it. */
async function waitForFreeSlot(daemon: Daemon) {
  const began = performance.now();
  let last = "";
  await until("an app can be started and stopped", SLOT_MS, async () => {
    const started = await daemon.post("/api/apps/start-app/steady_app");
    last = started.ok ? "" : await started.text();
    if (started.status === 409) await daemon.post("/api/apps/stop-current-app");
    return started.ok && (await daemon.post("/api/apps/stop-current-app")).ok;
  }).catch((error) => {
    throw new Error(`${error.message}; last answer: ${last}\n${daemon.output().slice(-2000)}`);
  });
  return performance.now() - began;
}

export async function soakKills(rounds: number, seed: number) {
  section(`Kills: ${rounds} rounds, --seed ${seed}`);
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const runId = `robot-soak-${process.pid}-${seed}`;
  const own = createDataFolder("own");
  if (own === null) throw new Error("there is no data folder");
  const { dataDir } = own;
  const projects = mkdtempSync(join(tmpdir(), "robot-projects-"));
  let [slowest, installs] = [0, 0];
  let daemon: Daemon | null = null;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const fresh = daemon === null;
      daemon ??= await start(dataDir, runId);
      const isInstall = round % 2 === 0;
      const activity = isInstall ? pick(INSTALLS) : pick(Object.keys(ACTIVITIES));
      const wait = random() * (INSTALLS.includes(activity) ? MAX_INSTALL_DELAY_MS : MAX_DELAY_MS);
      const candidates = ["daemon", "app", ...(daemon.losses < ROBOT_LOSSES ? ["robot", "robot and daemon"] : [])];
      if (isInstall) candidates.push("installer", "daemon");
      const project = await writeProject(join(projects, INSTALLED_APP), {
        ...{ name: INSTALLED_APP, version: String(round), modules: MODULES },
      });
      const victims = pick(candidates);
      // A daemon that was just started may be killed before it is ready.
      const atStart = fresh && !isInstall && random() < 0.4;
      if (!atStart) {
        await waitUntilReady(daemon);
        void Promise.resolve(ACTIVITIES[activity]?.(daemon, random, project)).catch(() => undefined);
        if (INSTALLS.includes(activity)) installs += 1;
      }
      await sleep(wait);
      const killed: number[] = [];
      for (const name of victims.split(" and ")) {
        const pid = name === "daemon" ? daemon.pid : await daemon[name as "robot" | "app" | "installer"]();
        if (pid === undefined) continue;
        if (name === "robot") daemon.losses += 1;
        try {
          process.kill(pid, "SIGKILL");
          killed.push(pid);
        } catch {
          // It has just ended by itself.
        }
      }
      const when = atStart ? "at its start" : `while ${activity}`;
      console.log(
        `  ${round}: ${victims} ${when}, after ${wait.toFixed(0)} ms${killed.length === 0 ? " (not there)" : ""}`,
      );
      const ended = victims.includes("daemon") || (!atStart && activity === "the daemon ends");
      if (ended) {
        const before = (await processesOfRun(runId)).map(({ pid }) => pid);
        await daemon.exit;
        const left = async () =>
          (await processesOfRun(runId)).filter(({ pid }) => before.includes(pid) && !killed.includes(pid));
        const untilGone = (what: string) =>
          until(what, EXIT_MS, async () => (await left()).length === 0).catch(async (error) => {
            throw new Error(`${error.message}: ${JSON.stringify(await left())}`);
          });
        // An app that ignores the daemon's end is ended by the robot process, or by the next daemon.
        if (!victims.includes("robot")) await untilGone("all of the daemon's processes are gone");
        daemon = await start(dataDir, runId);
        await waitUntilReady(daemon);
        await untilGone("nothing of the daemon before is left");
      }
      if (daemon.url === "") await waitUntilReady(daemon);
      slowest = Math.max(slowest, await waitForFreeSlot(daemon));
      const version = await checkInstalledApp(daemon, dataDir);
      if (isInstall) console.log(`     ${INSTALLED_APP}: version ${version}`);
    }
    figure("installs and removals", `${installs}`, "any", true);
    daemon ??= await start(dataDir, runId);
    const { pid, url } = daemon;
    process.kill(pid, "SIGTERM");
    const [code] = await daemon.exit;
    figure("exit code of the last daemon", `${code}`, "0", code === 0);
    figure("slowest offer of a slot", `${(slowest / 1000).toFixed(1)} s`, `${SLOT_MS / 1000} s`, slowest <= SLOT_MS);
    const processes = (await processesOfRun(runId)).length;
    figure("processes left", `${processes}`, "0", processes === 0);
    const open = await fetch(url).then(
      () => 1,
      () => 0,
    );
    figure("ports left", `${open}`, "0", open === 0);
    const files = readdirSync(dataDir).filter((name) => !EXPECTED_FILES.has(name));
    figure("locks and temporary files left", files.join(", ") || "none", "none", files.length === 0);
  } finally {
    for (const { pid } of await processesOfRun(runId)) process.kill(pid, "SIGKILL");
    own.remove();
    rmSync(projects, { recursive: true, force: true });
  }
}
