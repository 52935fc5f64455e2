// Kill daemon, robot process and app at random moments: whatever dies, a slot is offered again and nothing is left.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../bench/daemon.mjs";
import { figure, section } from "../bench/figures.mjs";
import { TEST_DATA } from "../setup/test-apps.mjs";

/** Milliseconds in which a daemon offers a free slot after whatever died; the contract speaks of 30 s. */
const SLOT_MS = 30_000;
/** Milliseconds in which nothing of what was killed, or belonged to it, runs any more. */
const GONE_MS = 8000;
/** Milliseconds from the beginning of something to the kill, at most. */
const LATEST_MS = 1500;
/** Losses in a row that one daemon makes up for, less one; see daemon/control/restarts.ts. */
const ROBOT_LOSSES = 4;
const APPS = ["steady_app", "goto_app", "ignores_sigint", "brief_app", "spins"];
/** All that a data folder holds when nobody uses it. */
const KEPT = new Set(["apps_venv", "logs", "work", "installed-apps.json", "audio.json", "volume.json"]);

/** @param {number} seed mulberry32: small, and the same everywhere */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {number} pid @returns {{ pid: number, parent: number, command: string } | null} living processes only */
function look(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return null;
    return { pid, parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "latin1") };
  } catch {
    return null;
  }
}

/** Every living process whose environment holds the mark, and thus descends from a daemon of this soak. @param {string} mark */
function marked(mark) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, "latin1").includes(mark);
      } catch {
        return false;
      }
    })
    .flatMap((name) => look(Number(name)) ?? []);
}

/** @param {string} dataDir @param {string} mark */
async function start(dataDir, mark) {
  const args = ["bin/robot-daemon.mjs", "--sim", "--port", "0", "--data-dir", dataDir, "--grace-period", "1"];
  const env = { ...process.env, ROBOT_SOAK: mark };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const exit = once(child, "exit");
  const daemon = {
    pid: child.pid ?? 0,
    url: "",
    losses: 0,
    exit,
    output: () => output,
    /** @param {string} path @returns {Promise<any>} */
    get: async (path) => (await fetch(daemon.url + path, { signal: AbortSignal.timeout(5000) })).json(),
    /** @param {string} path @param {unknown} [body] */
    post: (path, body) =>
      fetch(daemon.url + path, {
        method: "POST",
        signal: AbortSignal.timeout(SLOT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      }),
    robot: () =>
      marked(mark).find(({ parent, command }) => parent === child.pid && command.includes("/control/main.js"))?.pid,
    app: () => marked(mark).find(({ parent, command }) => parent === child.pid && command.includes("\0-m\0"))?.pid,
  };
  return daemon;
}

/** @typedef {Awaited<ReturnType<typeof start>>} Daemon */

/** @param {Daemon} daemon */
async function answers(daemon) {
  daemon.url = await until("the daemon prints its address", SLOT_MS, () => {
    return /http:\/\/127\.0\.0\.1:\d+/.exec(daemon.output())?.[0] ?? "";
  }).catch((error) => {
    throw new Error(`${error.message}:\n${daemon.output()}`);
  });
  await until("the daemon answers", SLOT_MS, async () => (await fetch(`${daemon.url}/healthz`)).ok);
}

/** Begins something that a kill may come into. @type {Record<string, (daemon: Daemon, random: () => number) => unknown>} */
const DOINGS = {
  nothing: () => {},
  "an app starts": (daemon, random) => daemon.post(`/api/apps/start-app/${APPS[Math.floor(random() * APPS.length)]}`),
  "an app stops": (daemon) =>
    daemon.post("/api/apps/start-app/steady_app").then(() => daemon.post("/api/apps/stop-current-app")),
  "the robot falls asleep": (daemon) => daemon.post("/api/move/play/goto_sleep"),
  "the robot wakes": (daemon) => daemon.post("/api/move/play/wake_up"),
  "the robot moves": (daemon) => daemon.post("/api/move/goto", { antennas: [1, -1], duration: 2 }),
  "the daemon ends": (daemon) => daemon.post("/api/daemon/stop"),
};

/**
 * Waits until the daemon hosts an app again, and ends that.
 * @param {Daemon} daemon
 */
async function offersSlot(daemon) {
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

/** @param {number} rounds @param {number} seed */
export async function soakKills(rounds, seed) {
  section(`Kills: ${rounds} rounds, --seed ${seed}`);
  const random = randomOf(seed);
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => /** @type {T} */ (list[Math.floor(random() * list.length)]);
  const mark = `robot-soak-${process.pid}-${seed}`;
  const dataDir = mkdtempSync(join(tmpdir(), "robot-soak-"));
  symlinkSync(join(TEST_DATA, "apps_venv"), join(dataDir, "apps_venv"));
  let slowest = 0;
  /** @type {Daemon | null} */
  let daemon = null;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const fresh = daemon === null;
      daemon ??= await start(dataDir, mark);
      const [doing, wait] = [pick(Object.keys(DOINGS)), random() * LATEST_MS];
      const candidates = ["daemon", "app", ...(daemon.losses < ROBOT_LOSSES ? ["robot", "robot and daemon"] : [])];
      const victims = pick(candidates);
      // A daemon that was just started may be hit before it answers.
      const atStart = fresh && random() < 0.4;
      if (!atStart) {
        await answers(daemon);
        void Promise.resolve(DOINGS[doing]?.(daemon, random)).catch(() => undefined);
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
      /** @type {number[]} */
      const hit = [];
      for (const name of victims.split(" and ")) {
        const pid = name === "daemon" ? daemon.pid : name === "robot" ? daemon.robot() : daemon.app();
        if (pid === undefined) continue;
        if (name === "robot") daemon.losses += 1;
        try {
          process.kill(pid, "SIGKILL");
          hit.push(pid);
        } catch {
          // It ended by itself in this very moment.
        }
      }
      const when = atStart ? "at its start" : `while ${doing}`;
      console.log(
        `  ${round}: ${victims} ${when}, after ${wait.toFixed(0)} ms${hit.length === 0 ? " (not there)" : ""}`,
      );
      const ended = victims.includes("daemon") || (!atStart && doing === "the daemon ends");
      if (ended) {
        const before = marked(mark).map(({ pid }) => pid);
        await daemon.exit;
        const left = () => marked(mark).filter(({ pid }) => before.includes(pid) && !hit.includes(pid));
        // An app that is deaf to the daemon's end is ended by the robot's process, or else by the next daemon.
        if (!victims.includes("robot"))
          await until("all of the daemon's processes are gone", GONE_MS, () => left().length === 0);
        daemon = await start(dataDir, mark);
        await answers(daemon);
        await until("nothing of the daemon before is left", GONE_MS, () => left().length === 0).catch((error) => {
          throw new Error(`${error.message}: ${JSON.stringify(left())}`);
        });
      }
      if (daemon.url === "") await answers(daemon);
      slowest = Math.max(slowest, await offersSlot(daemon));
    }
    daemon ??= await start(dataDir, mark);
    const { pid, url } = daemon;
    process.kill(pid, "SIGTERM");
    const [code] = await daemon.exit;
    figure("exit code of the last daemon", `${code}`, "0", code === 0);
    figure("slowest offer of a slot", `${(slowest / 1000).toFixed(1)} s`, `${SLOT_MS / 1000} s`, slowest <= SLOT_MS);
    const processes = marked(mark).length;
    figure("processes left", `${processes}`, "0", processes === 0);
    const open = await fetch(url).then(
      () => 1,
      () => 0,
    );
    figure("ports left", `${open}`, "0", open === 0);
    const files = readdirSync(dataDir).filter((name) => !KEPT.has(name));
    figure("locks and temporary files left", files.join(", ") || "none", "none", files.length === 0);
  } finally {
    for (const { pid } of marked(mark)) process.kill(pid, "SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}
