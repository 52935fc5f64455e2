import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname, networkInterfaces, type } from "node:os";
import { resolve } from "node:path";
import { accessToken, tokenFile } from "../access-token.ts";
import { localUrl, namesOf, networkUrl } from "../addresses.ts";
import { addressTo } from "../app-address.ts";
import { createAudio } from "../audio/audio.ts";
import { systemClock } from "../clock.ts";
import { forkRobot } from "../control/fork.ts";
import type { Robot } from "../control/robot.ts";
import { type DataFolder, openDataFolder } from "../data-folder/data-folder.ts";
import { greeting, signInHint, signInLink } from "../greeting.ts";
import { linkOf } from "../hardware/link/open.ts";
import { isLoopback } from "../http/guard/host-names.ts";
import type { EndDaemon } from "../http/routes/daemon.ts";
import type { DaemonOptions } from "../options.ts";
import { daemonLog } from "../terminal.ts";
import { hubAt } from "./install.ts";
import { Interrupted, type Machine, stepsOf } from "./machine.ts";

/** What only the composition root may know: how a process that simulates is made small. */
export interface RunMachine extends Machine {
  robotEnv: NodeJS.ProcessEnv;
}

/**
 * Runs one daemon until somebody ends it; settles with the port for the next one, or null when there shall be none.
 *
 * Throws `usage` or `data-folder-in-use` for the data folder, what `prepareVenv`, `forkRobot` and `startDaemon` throw,
 * `Interrupted` before the daemon runs. Whatever it throws, robot and data folder are given free.
 */
export async function run(options: DaemonOptions, machine: RunMachine): Promise<number | null> {
  const { dataDir, venv } = options;
  const { interrupted: signal } = machine;
  const onWait = (message: string): void => machine.tell(`  … ${message}\n`);
  const folder = await openDataFolder(dataDir, { doing: "daemon", url: null, venv }, { signal, onWait });
  const failed = new AbortController();
  // The robot's process gets ready while this one still loads the rest of the program.
  const robot = forkRobot({
    entry: new URL("../control/main.js", import.meta.url),
    link: options.sim ? "sim" : linkOf(options.serialport),
    env: { ...machine.robotEnv, ...machine.env },
    clock: systemClock,
    signal: AbortSignal.any([signal, failed.signal]),
  });
  try {
    return await runOn(folder, robot, options, machine);
  } catch (error) {
    failed.abort();
    signal.throwIfAborted();
    throw error;
  } finally {
    await robot.then((running) => running.close()).catch(() => undefined);
    await folder.close();
  }
}

async function runOn(
  folder: DataFolder,
  forked: Promise<Robot>,
  options: DaemonOptions,
  machine: RunMachine,
): Promise<number | null> {
  const { dataDir, host } = options;
  const { env, packageDir, version, interrupted } = machine;
  const log = daemonLog(options.logLevel, logTarget(machine));
  const token = isLoopback(host) ? null : await accessToken(dataDir);
  // Before what takes long: a recording that is none is a slip on the command line.
  const { audioDevice: device, microphone: recording } = options;
  const audio = await createAudio({ dataDir, clock: systemClock, device, recording, env });
  const [{ findUv, prepareVenv }, { createAppHost }, { startDaemon }] = await Promise.all([
    import("../prepare.ts"),
    import("../apps/app-host.ts"),
    import("../daemon.ts"),
  ]);
  const sdkFolder = resolve(packageDir, "sdk");
  const robotFailed = new AbortController();
  const signal = AbortSignal.any([interrupted, robotFailed.signal]);
  const prepared = prepareVenv({ dataDir, venv: options.venv, sdkFolder, env, step: stepsOf(machine), signal });
  const [venv, robot] = await Promise.all([prepared, forked]).catch(async (error) => {
    // An environment that is called off takes a moment to leave nothing half-made.
    robotFailed.abort(error);
    await prepared.catch(() => undefined);
    throw error;
  });
  interrupted.throwIfAborted();
  let end: EndDaemon = () => {};
  const asked = new Promise<"stop" | "restart">((settle) => {
    end = settle;
  });
  interrupted.addEventListener("abort", () => {
    const why = interrupted.reason instanceof Interrupted ? interrupted.reason.signal : "Interrupted";
    log.info(`${why}: ending the app and laying the robot to rest`);
    end("stop");
  });
  let told: Promise<void> = Promise.resolve();
  const daemon = await startDaemon({
    robot,
    audio,
    hostApps: (remoteSessionActive) =>
      createAppHost({
        dataDir,
        venv,
        uv: findUv(env),
        robot,
        clock: systemClock,
        env,
        remoteSessionActive,
        startupApp: options.startupApp,
        hub: hubAt(options.hubUrl, env),
        graceMs: options.gracePeriod * 1000,
      }),
    facts: { robotName: "robot", version, wireless: options.wirelessVersion, simulated: options.sim, platform: type() },
    log,
    now: Date.now,
    newId: randomUUID,
    dashboard: resolve(packageDir, "dist/dashboard"),
    host,
    port: options.port,
    names: namesOf(hostname(), options.allowedHosts),
    token,
    errorsText: readFileSync(resolve(packageDir, "docs/errors.md"), "utf8"),
    residentBytes: machine.residentBytes,
    end,
    onOpen: (port) => {
      const url = localUrl(host, port);
      addressTo(env, { url, token });
      told = folder.tell({ doing: "daemon", url, venv });
      const signIn = signInText({ host, port, token, dataDir }, machine);
      machine.print(greeting({ options, isThere: robot.state.phase === "running", version, url, venv, signIn }));
    },
    wakeUpOnStart: options.wakeUpOnStart,
  });
  await told;
  const { announce } = await import("../announce.ts");
  const announced =
    options.wirelessVersion && token !== null
      ? announce(hostname(), daemon.port, (error) => log.warn(`The robot's name is not announced: ${error.message}`))
      : null;
  const how = await asked;
  if (how === "restart") log.info("Restart: ending the app and laying the robot to rest");
  await Promise.all([daemon.close(), announced?.close()]);
  return how === "restart" ? daemon.port : null;
}

/** systemd names the journal in JOURNAL_STREAM; systemd.exec(5). */
const logTarget = ({ env, isTerminal }: Machine) => (env.JOURNAL_STREAM ? "journal" : isTerminal ? "terminal" : "pipe");

function signInText(
  { host, port, token, dataDir }: { host: string; port: number; token: string | null; dataDir: string },
  { isTerminal }: Machine,
): string {
  if (token === null) return "";
  if (!isTerminal) return signInHint(tokenFile(dataDir));
  return signInLink(networkUrl(host, port, networkInterfaces()), token);
}
