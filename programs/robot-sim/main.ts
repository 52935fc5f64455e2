import { closeSync, createWriteStream, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { CommanderError } from "commander";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { versionText } from "../../common/versions.ts";
import { JOINTS } from "../../robot/description/joints.ts";
import { FactoryReset, factoryReset } from "../../robot/servo/protocol/instructions.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { createLocalLink } from "../../sim/link/local-link.ts";
import { openPtyTransport } from "../../sim/link/transport/pty-transport.ts";
import { openTcpTransport } from "../../sim/link/transport/tcp-transport.ts";
import { parseOptions, type SimOptions } from "../../sim/options.ts";
import { servePage } from "../../sim/page/page-server.ts";
import { Recorder } from "../../sim/recorder.ts";
import { warmUp } from "../../sim/replay.ts";
import { serve } from "../../sim/serve.ts";

const STDOUT = 1;
/** The built page. */
const PAGE = fileURLToPath(new URL("../../sim-page", import.meta.url));
const report = (text: string) => console.error(`robot-sim: ${text}`);

/** Prints only the address to standard output and closes it, because `$(robot-sim &)` waits for its end. */
function printAddress(address: string): void {
  writeSync(STDOUT, `${address}\n`);
  if (isatty(STDOUT)) return;
  closeSync(STDOUT);
  openSync(devNull, "w"); // takes the free descriptor, so that no other file becomes standard output
}

/**
 * Opens the file of a recording, before anything runs.
 * @throws WorkbenchError `usage` when it cannot be written
 */
function openRecording(file: string): number {
  try {
    return openSync(file, "w");
  } catch (error) {
    const why = (error as Error).message;
    throw new WorkbenchError("usage", `--record ${file}: ${why}. Use a file in a writable folder.`);
  }
}

async function run(options: SimOptions, folder: string): Promise<() => Promise<void>> {
  const { tcp, record, viewerPort, freshServo, ...robot } = options;
  const recording = record === null ? undefined : openRecording(record);
  const now = () => performance.now();
  const transport = await (tcp === null ? openPtyTransport(join(folder, "tty")) : openTcpTransport(tcp));
  const { address } = transport;
  await warmUp();
  const local = await createLocalLink({ ...robot, now });
  const fresh = JOINTS.find(({ name }) => name === freshServo);
  // As a driver would make it: by a packet.
  if (fresh !== undefined) local.robot.receive(factoryReset(fresh.id, FactoryReset.keepNothing));
  const page =
    viewerPort === null ? undefined : await servePage({ local, address, folder: PAGE, port: viewerPort, now });
  const file = recording === undefined ? undefined : createWriteStream("", { fd: recording });
  file?.on("error", (error) => report(`the recording stopped: ${error.message}`));
  const recorder = file && new Recorder(file, local.robot.physics, () => local.robot.time);
  const stop = await serve({
    local,
    transport,
    recorder,
    report: (text) => {
      report(text);
      page?.report(text);
    },
  });
  printAddress(address);
  report(`${fresh === undefined ? "nine" : "eight"} servos at 1 Mbaud, asleep; open ${address}, stop with Ctrl-C`);
  if (fresh !== undefined) report(`${fresh.name} has its manufacturer's settings: id 1, 57,600 bit/s`);
  if (page !== undefined) report(`viewer at ${page.url}`);
  return async () => {
    await page?.close();
    await stop();
  };
}

async function main(): Promise<void> {
  // A flag of V8, not of robot-sim: WebAssembly is compiled by the baseline compiler (Liftoff) only. The physics engine is
  // about as fast without the optimizing one, which would take 150 MB.
  setFlagsFromString("--liftoff-only");
  const version = versionText(PACKAGE_FOLDER, process.versions.node);
  const options = parseOptions(process.argv.slice(2), version, {
    writeOut: (text) => process.stdout.write(text),
    writeErr: (text) => process.stderr.write(text),
  });
  const folder = mkdtempSync(join(tmpdir(), "robot-sim-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const stopSignal = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, resolve);
  });
  const stop = await run(options, folder);
  await stopSignal;
  await stop();
}

try {
  await main();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  report(error instanceof WorkbenchError ? error.message : String((error as Error).stack));
  process.exit(error instanceof WorkbenchError && error.code === "usage" ? 2 : 1);
}
