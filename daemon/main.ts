import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommanderError } from "commander";
import { problemOf, WorkbenchError } from "../robot/wire/errors.ts";
import { LEAN_MEMORY } from "../sim/link/lean-memory.ts";
import { createAppHost } from "./apps/app-host.ts";
import { systemClock } from "./apps/clock.ts";
import type { HubOptions } from "./apps/hub/hub.ts";
import { forkRobot } from "./control/fork.ts";
import { startDaemon } from "./daemon.ts";
import { greeting } from "./greeting.ts";
import { type DaemonOptions, parseInvocation } from "./options.ts";
import { findUv, installNamed, prepareVenv, type Step } from "./prepare.ts";
import { terminalLog } from "./terminal.ts";

/** Folder of the package: this file is compiled to dist/daemon/main.js. */
const packageDir = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(resolve(packageDir, "package.json"), "utf8")) as { version: string };
const sdkFolder = resolve(packageDir, "sdk");

/** Steps of the command line: their names, then how they went. */
const step: Step = async (name, work) => {
  const result = await work();
  if (result !== "fresh") process.stderr.write(`  ok ${name}\n`);
  return result;
};

async function install(source: string, dataDir: string, hubUrl: string): Promise<void> {
  const onProgress = (line: string) => process.stderr.write(`     ${line}\n`);
  await installNamed({ dataDir, source, hub: hubAt(hubUrl), sdkFolder, env: process.env, step, onProgress });
}

/** The token that opens private spaces never shows on a command line. */
const hubAt = (url: string): HubOptions => ({ url, token: process.env.HF_TOKEN ?? null });

async function run(options: DaemonOptions): Promise<void> {
  const { dataDir, host } = options;
  mkdirSync(dataDir, { recursive: true });
  const log = terminalLog(options.logLevel, process.stdout.isTTY === true);
  // The two things that take time get ready side by side.
  const [venv, robot] = await Promise.all([
    prepareVenv({ dataDir, sdkFolder, env: process.env, step }),
    forkRobot({
      entry: new URL("./control/main.js", import.meta.url),
      link: options.sim ? "sim" : linkOf(options.serialport),
      env: { ...LEAN_MEMORY, ...process.env },
    }),
  ]);
  const daemon = await startDaemon({
    robot,
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
    facts: { robotName: "robot", version, wireless: options.wirelessVersion, simulated: options.sim },
    log,
    now: Date.now,
    newId: randomUUID,
    dashboard: fileURLToPath(new URL("../dashboard", import.meta.url)),
    host,
    port: options.port,
    token: null,
    onOpen: (port) => {
      // Apps find their daemon by this: they inherit the daemon's environment (contract, section 2.5).
      process.env.ROBOT_DAEMON_URL = `http://127.0.0.1:${port}`;
      process.stdout.write(greeting({ port, options, version }));
    },
    wakeUpOnStart: options.wakeUpOnStart,
  });

  let ending = false;
  const end = (signal: NodeJS.Signals): void => {
    if (ending) return;
    ending = true;
    log.info(`${signal}: ending the app and laying the robot to rest`);
    daemon.close().then(
      () => process.exit(0),
      (error) => fail(error),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(signal));
}

const linkOf = (serialport: string | null): string =>
  serialport === null ? "serial" : serialport.includes("://") ? serialport : `serial:${serialport}`;

function fail(error: unknown): never {
  const known = error instanceof WorkbenchError;
  process.stderr.write(`robot-daemon: ${known ? error.message : (error as Error).stack}\n`);
  process.exit(known && problemOf(error).code === "usage" ? 2 : 1);
}

try {
  const write = (text: string) => process.stderr.write(text);
  const invocation = parseInvocation(process.argv.slice(2), process.env, version, write);
  if (invocation.command === "install") await install(invocation.source, invocation.dataDir, invocation.hubUrl);
  else await run(invocation.options);
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  fail(error);
}
