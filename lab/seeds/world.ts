import { createHash } from "node:crypto";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { seededRandom } from "../../common/seeded-random.ts";
import type { Mechanism } from "../../sim/robot.ts";
import { RobotOnCable } from "./cable.ts";
import { SystemClock } from "./clocks.ts";
import { writePythonEnvironment } from "./python-environment.ts";
import { VirtualDisk } from "./virtual-disk.ts";
import { VirtualMachine } from "./virtual-machine.ts";

/** Ids that the programs draw from the system's random numbers, which no seed decides. */
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Folder of files in memory, on Linux. */
const IN_MEMORY = "/dev/shm";

/** What surrounds the programs: a clock, a machine with its disk, a robot; and the log of what happens. */
export class World {
  readonly random: () => number;
  readonly clock: SystemClock;
  readonly machine: VirtualMachine;
  readonly disk: VirtualDisk;
  readonly cable: RobotOnCable;
  readonly lines: string[] = [];
  /** What has waited at most: bytes to a client that does not read, and messages to a robot process. */
  readonly mostWaiting = { bytes: 0, messages: 0 };
  readonly #hash = createHash("sha256");
  #ids = 0;

  constructor(seed: number, mechanism: Mechanism) {
    const random = seededRandom(seed);
    this.random = random;
    this.clock = new SystemClock(random);
    this.machine = new VirtualMachine(random);
    this.disk = new VirtualDisk(mkdtempSync(path.join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "seed-")), random);
    writePythonEnvironment(this.disk.content);
    this.cable = new RobotOnCable(this.clock, random, mechanism);
  }

  nextId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }

  log(text: string): void {
    const line = `${(this.clock.now() / 1000).toFixed(3)} ${text.replaceAll(this.disk.folder, "").replaceAll(UUID, "ID")}`;
    this.lines.push(line);
    this.#hash.update(`${line}\n`);
  }

  /** Of all lines so far. */
  get digest(): string {
    return this.#hash.copy().digest("hex").slice(0, 16);
  }

  close(): void {
    this.disk.remove();
    this.cable.robot.free();
  }
}
