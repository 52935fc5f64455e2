import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname, networkInterfaces, type } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommanderError } from "commander";
import { problemOf, WorkbenchError } from "../robot/wire/errors.ts";
import { LEAN_MEMORY } from "../sim/link/lean-memory.ts";
import { accessToken, tokenFile } from "./access-token.ts";
import { localUrl, namesOf, networkUrl } from "./addresses.ts";
import { systemClock } from "./apps/clock.ts";
import type { HubOptions } from "./apps/hub/hub.ts";
import { createAudio } from "./audio/audio.ts";
import { forkRobot } from "./control/fork.ts";
import { makeDataDir } from "./data-dir.ts";
import { greeting, signInHint, signInLink } from "./greeting.ts";
import { systemClock as robotClock } from "./hardware/clock.ts";
import { linkOf } from "./hardware/link/open.ts";
import { runScan, runSetup } from "./hardware/setup/commands.ts";
import { isLoopback } from "./http/guard/host-names.ts";
import type { EndDaemon } from "./http/routes/daemon.ts";
import { type DaemonOptions, type Invocation, parseInvocation } from "./options.ts";
import type { Step } from "./prepare.ts";
import { daemonLog } from "./terminal.ts";

/** Folder of the package: this file is compiled to dist/daemon/main.js. */
const packageDir = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(resolve(packageDir, "package.json"), "utf8")) as { version: string };
const sdkFolder = resolve(packageDir, "sdk");

/** Steps of the command line: their names, then how they went. */
const step: Step = async (name, work) => {
  const slow = setTimeout(() => process.stderr.write(`  … ${name}\n`), 1000);
  try {
    const result = await work();
    if (result !== "fresh") process.stderr.write(`  ok ${name}\n`);
    return result;
  } finally {
    clearTimeout(slow);
  }
};

type InstallInvocation = Extract<Invocation, { command: "install" }>;

async function install({ source, dataDir, venv, hubUrl }: InstallInvocation): Promise<void> {
  const { installNamed } = await import("./prepare.ts");
  const onProgress = (line: string) => process.stderr.write(`     ${line}\n`);
  await installNamed({ dataDir, venv, source, hub: hubAt(hubUrl), sdkFolder, env: process.env, step, onProgress });
}

/** The token that opens private spaces never shows on a command line. */
const hubAt = (url: string): HubOptions => ({ url, token: process.env.HF_TOKEN ?? null });

/** Runs one daemon until somebody ends it; settles with the port for the next one, or null when there shall be none. */
async function run(options: DaemonOptions): Promise<number | null> {
  const { dataDir, host } = options;
  makeDataDir(dataDir);
  const log = daemonLog(options.logLevel, logTarget());
  const token = isLoopback(host) ? null : await accessToken(dataDir);
  // The robot's process gets ready while this one still loads the rest of the program.
  const forked = forkRobot({
    entry: new URL("./control/main.js", import.meta.url),
    link: options.sim ? "sim" : linkOf(options.serialport),
    env: { ...LEAN_MEMORY, ...process.env },
    clock: robotClock,
  });
  forked.catch(() => undefined); // Told below; the rest may still be loading when it fails.
  const [{ findUv, prepareVenv }, { createAppHost }, { startDaemon }] = await Promise.all([
    import("./prepare.ts"),
    import("./apps/app-host.ts"),
    import("./daemon.ts"),
  ]);
  const [venv, robot] = await Promise.all([
    prepareVenv({ dataDir, venv: options.venv, sdkFolder, env: process.env, step }),
    forked,
  ]);
  const { audioDevice: device, microphone: recording } = options;
  const audio = await createAudio({ dataDir, clock: systemClock, device, recording, env: process.env });
  let end: EndDaemon = () => {};
  const asked = new Promise<"stop" | "restart">((resolve) => {
    end = resolve;
  });
  const daemon = await startDaemon({
    robot,
    audio,
    hostApps: (remoteSessionActive) =>
      createAppHost({
        dataDir,
        venv,
        uv: findUv(process.env),
        robot,
        clock: systemClock,
        env: process.env,
        remoteSessionActive,
        startupApp: options.startupApp,
        hub: hubAt(options.hubUrl),
        graceMs: options.gracePeriod * 1000,
      }),
    facts: { robotName: "robot", version, wireless: options.wirelessVersion, simulated: options.sim, platform: type() },
    log,
    now: Date.now,
    newId: randomUUID,
    dashboard: fileURLToPath(new URL("../dashboard", import.meta.url)),
    host,
    port: options.port,
    names: namesOf(hostname(), options.allowedHosts),
    token,
    errorsText: readFileSync(resolve(packageDir, "docs/errors.md"), "utf8"),
    residentBytes: () => process.memoryUsage.rss(),
    end,
    onOpen: (port) => {
      const url = localUrl(host, port);
      // Apps find their daemon by these: they inherit the daemon's environment (contract, section 2.5).
      process.env.ROBOT_DAEMON_URL = url;
      if (token !== null) process.env.ROBOT_DAEMON_TOKEN = token;
      process.stdout.write(
        greeting({ options, version, url, venv, signIn: signInText({ host, port, token, dataDir }) }),
      );
    },
    wakeUpOnStart: options.wakeUpOnStart,
  });
  const { announce } = await import("./announce.ts");
  const announced =
    options.wirelessVersion && token !== null
      ? announce(hostname(), daemon.port, (error) => log.warn(`The robot's name is not announced: ${error.message}`))
      : null;

  const onSignal = (signal: NodeJS.Signals): void => {
    log.info(`${signal}: ending the app and laying the robot to rest`);
    end("stop");
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const how = await asked;
  if (how === "restart") log.info("Restart: ending the app and laying the robot to rest");
  await Promise.all([daemon.close(), announced?.close()]);
  for (const signal of SIGNALS) process.off(signal, onSignal);
  return how === "restart" ? daemon.port : null;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** systemd names the journal in JOURNAL_STREAM; systemd.exec(5). */
const logTarget = () => (process.env.JOURNAL_STREAM ? "journal" : process.stdout.isTTY ? "terminal" : "pipe");

function signInText(daemon: { host: string; port: number; token: string | null; dataDir: string }): string {
  const { host, port, token, dataDir } = daemon;
  if (token === null) return "";
  if (!process.stdout.isTTY) return signInHint(tokenFile(dataDir));
  return signInLink(networkUrl(host, port, networkInterfaces()), token);
}

/** What `robot-daemon link` shows. */
async function showLink(dataDir: string, host: string, port: number): Promise<void> {
  const url = networkUrl(host, port, networkInterfaces());
  process.stdout.write(signInLink(url, await accessToken(dataDir)));
}

/** Runs a command for assembling a robot; false when the robot is not, or a person did not agree. */
async function assemble(invocation: Extract<Invocation, { command: "scan" | "setup-servo" }>): Promise<boolean> {
  const agreed = invocation.command === "setup-servo" && invocation.agreed;
  const assembly = {
    link: linkOf(invocation.serialport),
    clock: robotClock,
    say: (text: string) => process.stdout.write(`${text}\n`),
    confirm: agreed ? async () => true : process.stdin.isTTY ? askPerson : null,
  };
  if (invocation.command === "scan") return runScan(assembly);
  return runSetup(assembly, invocation.joint, invocation.id);
}

async function askPerson(message: string): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message, initialValue: false })) === true;
}

function fail(error: unknown): never {
  const known = error instanceof WorkbenchError;
  process.stderr.write(`robot-daemon: ${known ? error.message : (error as Error).stack}\n`);
  process.exit(known && problemOf(error).code === "usage" ? 2 : 1);
}

try {
  const write = (text: string) => process.stderr.write(text);
  const invocation = parseInvocation(process.argv.slice(2), process.env, version, write);
  if (invocation.command === "install") await install(invocation);
  else if (invocation.command === "scan" || invocation.command === "setup-servo")
    process.exitCode = (await assemble(invocation)) ? 0 : 1;
  else if (invocation.command === "link") await showLink(invocation.dataDir, invocation.host, invocation.port);
  else {
    let port: number | null = invocation.options.port;
    while (port !== null) port = await run({ ...invocation.options, port });
    process.exit(0);
  }
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  fail(error);
}
