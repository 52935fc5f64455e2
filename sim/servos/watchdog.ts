import { WATCHDOG_UNIT } from "../../robot/servo/units.ts";
import type { Memory } from "./memory.ts";

/** Notices that the bus has fallen silent: the register `busWatchdog` says after how long, and -1 that it has. */
export class Watchdog {
  /** Seconds with torque on since the last instruction packet on the bus. */
  quiet = 0;

  hear(): void {
    this.quiet = 0;
  }

  /** Moves on by `dt` seconds with torque on. True in the moment at which it fires. */
  advance(dt: number, memory: Memory): boolean {
    this.quiet += dt;
    const allowed = memory.get("busWatchdog") * WATCHDOG_UNIT;
    if (allowed <= 0 || this.quiet <= allowed) return false;
    memory.set("busWatchdog", -1);
    return true;
  }
}
