import { REGISTERS } from "../../../robot/servo/registers/control-table.ts";
import { WATCHDOG_UNIT } from "../../../robot/servo/registers/units.ts";
import type { ControlTable } from "../control-table.ts";

/** Bus watchdog: the register `busWatchdog` holds the timeout, and -1 after the watchdog has fired. */
export class Watchdog {
  /** Seconds with torque on since the last instruction packet on the bus. */
  idleSeconds = 0;

  /** Advances by `dt` seconds with torque on. Returns true in the step in which it fires. */
  advance(dt: number, memory: ControlTable): boolean {
    this.idleSeconds += dt;
    const allowed = memory.read(REGISTERS.busWatchdog) * WATCHDOG_UNIT;
    if (allowed <= 0 || this.idleSeconds <= allowed) return false;
    memory.set("busWatchdog", -1);
    return true;
  }
}
