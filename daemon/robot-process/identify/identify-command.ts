import { open, readFile, rename, rm, stat } from "node:fs/promises";
import type { PreciseClock } from "../../../common/time/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { bringUp } from "../hardware/bring-up.ts";
import { openLink } from "../hardware/link/open.ts";
import { ROBOT_BAUD_RATE } from "../hardware/link/serial.ts";
import { withBus } from "../hardware/setup/scan.ts";
import { fitServos } from "./fit.ts";
import { type Measurement, parseMeasurement } from "./measurement.ts";
import { recordMeasurement } from "./record-measurement.ts";
import { describeEstimates } from "./report.ts";

/** Bytes of a measurement at most: nine servos, five numbers, 100 a second. */
const MOST_BYTES = 6_000_000;
/** Bytes of a file that is read: with spaces, and of four minutes. */
const LARGEST_FILE = 24_000_000;

/** What the command needs of the program around it. */
export interface IdentifyContext {
  /** Address of the link, as `openLink` takes it. */
  readonly link: string;
  readonly clock: PreciseClock;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  /** Writes to the standard error. */
  readonly report: (text: string) => void;
}

/**
 * `robot-daemon identify --record FILE`: moves the robot for two minutes, writes what its servos had into a file, and prints
 * the figures of each. The file's place on the disk is taken before the robot moves.
 *
 * @throws WorkbenchError `usage` for a file that cannot be written, `disk-full`, `robot-not-found`, `robot-not-ready`,
 *   `robot-fault`; the signal's reason
 */
export async function recordAndIdentify(context: IdentifyContext, file: string, json: boolean): Promise<void> {
  const { link, clock, signal, report } = context;
  const reserved = await reserve(file);
  try {
    const measurement = await withBus(
      (baud) => openLink(link, baud),
      clock,
      ROBOT_BAUD_RATE,
      async (bus) => {
        const found = await bringUp(bus, clock, link);
        report(
          "The robot moves for two and a half minutes; keep your hands off it. Ctrl-C stops it and puts it to sleep.",
        );
        return recordMeasurement(found, { clock, signal, onProgress: progress(report) });
      },
    );
    await reserved.keep(JSON.stringify(measurement));
    report(`Written: ${file}`);
    printFigures(context, measurement, json);
  } finally {
    await reserved.remove();
  }
}

/**
 * `robot-daemon identify FILE`: prints the figures of a file that was recorded before.
 * @throws WorkbenchError `usage` for a file that cannot be read, `bad-request` for a damaged one
 */
export async function identifyFile(context: IdentifyContext, file: string, json: boolean): Promise<void> {
  const refuse = (why: string) =>
    new WorkbenchError("usage", `${file} ${why}. Record it with identify --record ${file}.`);
  const cannotBeRead = ({ code }: NodeJS.ErrnoException): never => {
    throw refuse(`cannot be read (${code})`);
  };
  const entry = await stat(file).catch(cannotBeRead);
  if (!entry.isFile()) throw refuse("is not a file");
  if (entry.size > LARGEST_FILE) throw refuse(`has ${entry.size} bytes; a measurement has at most ${LARGEST_FILE}`);
  const text = await readFile(file, "utf8").catch(cannotBeRead);
  printFigures(context, parseMeasurement(text, file), json);
}

function printFigures({ print }: IdentifyContext, measurement: Measurement, json: boolean): void {
  const estimates = fitServos(measurement);
  print(
    json
      ? JSON.stringify({ supply: measurement.supply, servos: estimates })
      : describeEstimates(estimates, measurement),
  );
}

/** Reports each tenth. */
function progress(report: (text: string) => void): (share: number) => void {
  let tenth = 0;
  return (share) => {
    if (Math.floor(10 * share) <= tenth) return;
    tenth = Math.floor(10 * share);
    report(`  … ${10 * tenth} %`);
  };
}

/** Takes the place that a file needs on the disk. A file of this name stays until `keep` replaces it. */
async function reserve(file: string) {
  const existing = await stat(file).catch(() => undefined);
  if (existing !== undefined && !existing.isFile())
    throw new WorkbenchError("usage", `${file} is not a file. Name a file in it, or another one.`);
  const part = `${file}.part`;
  if ((await stat(part).catch(() => undefined))?.isFile())
    throw new WorkbenchError("usage", `${part} exists, and would be overwritten. Remove it, or name another file.`);
  const failed = async (error: NodeJS.ErrnoException): Promise<never> => {
    await rm(part, { force: true }).catch(() => undefined);
    if (error.code === "ENOSPC") {
      throw new WorkbenchError(
        "disk-full",
        `A measurement needs ${MOST_BYTES / 1e6} MB at ${file}. Free some space, then measure again.`,
      );
    }
    throw new WorkbenchError("usage", `${file} cannot be written (${error.code}). Name a file in a folder of yours.`);
  };
  const handle = await open(part, "w").catch(failed);
  await handle
    .writeFile(Buffer.alloc(MOST_BYTES))
    .then(() => handle.sync())
    .catch(async (error) => {
      await handle.close();
      await failed(error);
    });
  return {
    async keep(text: string): Promise<void> {
      await handle.write(text, 0);
      await handle.truncate(Buffer.byteLength(text));
      await handle.sync();
      await rename(part, file);
    },
    async remove(): Promise<void> {
      await handle.close();
      await rm(part, { force: true });
    },
  };
}
