import { closeSync, createWriteStream, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { CommanderError } from "commander";
import { WorkbenchError } from "../robot/wire/errors.ts";
import { createLocalLink } from "./link/local-link.ts";
import { openPtyOutlet } from "./link/pty-outlet.ts";
import { openTcpOutlet } from "./link/tcp-outlet.ts";
import { parseOptions, type SimOptions } from "./options.ts";
import { openPage } from "./page/page-server.ts";
import { Recorder } from "./recorder.ts";
import { warmUp } from "./replay.ts";
import { serve } from "./serve.ts";

const STDOUT = 1;
/** The built page. */
const PAGE = fileURLToPath(new URL("../sim-page", import.meta.url));
const tell = (text: string) => console.error(`robot-sim: ${text}`);

/** The address alone goes to standard output, which is then closed: `$(robot-sim &)` waits for its end, not for ours. */
function announce(address: string): void {
  writeSync(STDOUT, `${address}\n`);
  if (isatty(STDOUT)) return;
  closeSync(STDOUT);
  openSync(devNull, "w"); // takes the lowest free number, so that nothing else becomes standard output
}

/** The file of a recording, from its beginning: before anything runs that would not be in it. */
function openRecording(file: string): number {
  try {
    return openSync(file, "w");
  } catch (error) {
    const why = (error as Error).message;
    throw new WorkbenchError("usage", `--record ${file}: ${why}. Name a file in a folder that can be written to.`);
  }
}

async function run(options: SimOptions, folder: string): Promise<() => Promise<void>> {
  const { tcp, record, viewerPort, ...robot } = options;
  const recording = record === null ? undefined : openRecording(record);
  const now = () => performance.now();
  const outlet = await (tcp === null ? openPtyOutlet(join(folder, "tty")) : openTcpOutlet(tcp));
  const { address } = outlet;
  await warmUp();
  const local = await createLocalLink({ ...robot, now });
  const page =
    viewerPort === null ? undefined : await openPage({ local, address, folder: PAGE, port: viewerPort, now });
  const file = recording === undefined ? undefined : createWriteStream("", { fd: recording });
  file?.on("error", (error) => tell(`the recording stops: ${error.message}`));
  const recorder = file && new Recorder(file, local.robot.physics, () => local.robot.time);
  const stop = await serve({
    local,
    outlet,
    recorder,
    tell: (text) => {
      tell(text);
      page?.tell(text);
    },
  });
  announce(address);
  tell(`nine servos at 1 Mbaud, asleep; open ${address}, end with Ctrl-C`);
  if (page !== undefined) tell(`to be seen at ${page.url}`);
  return async () => {
    await page?.close();
    await stop();
  };
}

async function main(): Promise<void> {
  // The physics engine runs about as fast without the optimizing compiler, which would take 150 MB.
  setFlagsFromString("--liftoff-only");
  const { version } = createRequire(import.meta.url)("../../package.json");
  const options = parseOptions(process.argv.slice(2), version, {
    writeOut: (text) => process.stdout.write(text),
    writeErr: (text) => process.stderr.write(text),
  });
  const folder = mkdtempSync(join(tmpdir(), "robot-sim-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const signalled = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, resolve);
  });
  const stop = await run(options, folder);
  await signalled;
  await stop();
}

try {
  await main();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  tell(error instanceof WorkbenchError ? error.message : String((error as Error).stack));
  process.exit(error instanceof WorkbenchError && error.code === "usage" ? 2 : 1);
}
